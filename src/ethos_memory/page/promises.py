"""How a promise that "the rest stays as it was" is worded, by language. Data only.

Each list holds patterns over folded text, some languages to a line; `_UNSPACED` is
the same for scripts in which no word has an end.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "GAP",
    "KEPT",
    "KEPT_UNSPACED",
    "OTHER",
    "OTHER_UNSPACED",
    "REST",
    "REST_UNSPACED",
    "WHOLE",
    "WHOLE_UNSPACED",
]

#: What is left out, said of a whole.
REST: Final = r"""
rest|remainder|remaining|everything else|all else|all (?:the )?others?
\d+ (?:more |other |further )?(?:lines|entries|items|bullets|facts|paragraphs|characters)
restlich\w*|übrige\w*|alles andere|alle anderen|overige|al het andere
restes?|restantes?|tout le reste|suite|resto|demás|todo lo demás|demais|restant[ei]
resztę?|reszta|pozostał\w*|zbytek|ostatní|остальн\w*|остаток|решта
resten|övriga|øvrige|loput|geri kalan\w*|kalan\w*
sisanya|selebihnya|phần còn lại|còn lại|بقية|باقي|المتبقية?|שאר|बाकी|शेष
"""
REST_UNSPACED: Final = "其余|其餘|剩余|剩餘|剩下|残り|それ以外|나머지|ที่เหลือ"

#: What is left out, said of a part; a common word in any other sentence.
OTHER: Final = r"""
others?|previous|prior|earlier|existing|original|old|same|\d+ (?:more|other|further)
vorherige\w*|bisherige\w*|bestehende\w*|vorhandene\w*|\d+ weitere|vorige|bestaande|andere
autres?|précédente?s?|existante?s?|anterior(?:es)?|existentes?|otr[oa]s|outr[oa]s
precedent[ei]|esistent[ei]|altr[eio]
poprzedni\w*|istniejąc\w*|předchozí|stávající
предыдущ\w*|существующ\w*|прежни\w*|інш[іе]|попередн\w*|наявн\w*
tidigare|tidligere|befintlig\w*|eksisterende|muut|aiem\w*|önceki|mevcut|diğer
lainnya|sebelumnya|trước đó|hiện có|السابقة?|הקודמים?|पिछल\w*
"""
OTHER_UNSPACED: Final = (
    "其他|其它|之前|原有|现有|現有|先前|前面|以下|その他|他の|以前の|既存|前の"
    "|기타|이전|기존|다른|ก่อนหน้า"
)

#: What is said to happen to it.
KEPT: Final = r"""
unchanged|omitted|elided|truncated|snip|snipped|the same|as before|as is|as-is|intact
untouched|preserved|retained|kept|remains?|stays?|continues?|here|not shown|hidden
left out|skipped|abbreviated|brevity|unmodified|as it was|as they were|collapsed
unverändert|ausgelassen|weggelassen|gekürzt|bleib(?:t|en)|wie zuvor|wie vorher
wie gehabt|wie bisher|beibehalten|ongewijzigd|onveranderd|weggelaten|blijft|hetzelfde
inchangée?s?|omis(?:es?)?|identiques?|tel(?:le)?s? quel(?:le)?s?|sans changements?
conservée?s?|tronquée?s?|sin cambios|omitid[oa]s?|igual|se mantienen?|sin modificar
intact[oa]s?|conservad[oa]s?|truncad[oa]s?|inalterad[oa]s?|sem alterações|sem mudanças
mantid[oa]s?|invariat[oaie]|omess[oaie]|immutat[oaie]|come prima|senza modifiche
bez zmian|pominięt\w*|niezmienion\w*|beze změny|vynechán\w*|nezměněn\w*
без изменений|не изменен\w*|неизмен\w*|пропущен\w*|опущен\w*|оста[её]тся|как было
без змін|незмінн\w*|пропущено
oförändra[dt]\w*|utelämna\w*|uændret|udeladt|uendret|utelatt|ennallaan|muuttumat\w*
değişmedi|değiştirilmedi|aynı|atlandı|tidak berubah|dihilangkan|giữ nguyên|không đổi
không thay đổi|lược bỏ|بدون تغيير|دون تغيير|محذوفة?|كما هو|كما هي
ללא שינוי|הושמט\w*|अपरिवर्तित|वैसे ही
"""
KEPT_UNSPACED: Final = (
    "不变|不變|省略|未变|未變|照旧|照舊|同上|未修改|不作修改|原样|原樣|保持|保留"
    "|変更なし|変更無し|そのまま|変わらず|変わりません|同じ|不変|以下略|中略"
    "|변경 없음|변경없음|생략|그대로|동일|유지|변경되지|เหมือนเดิม|ไม่เปลี่ยนแปลง"
)

#: What it is a part of.
WHOLE: Final = r"""
file|pages?|documents?|memory|profile|contents?|entries|entry|notes?|lines?|sections?
text|code|list|items?|bullets?|facts?
datei|seite|dokument|inhalte?|einträge|abschnitte?|zeilen|bestand|pagina|inhoud|regels
fichier|contenu|entrées|lignes|archivo|fichero|página|contenido|entradas
arquivo|ficheiro|conteúdo|contenuto|voci|righe
файла?|содержимо[ег]о?|записи|страницы?|вміст|файлу|pliku?|treść|wpisy|soubor\w*|obsah
filen|innehållet|indholdet|innholdet|tiedosto\w*|dosya\w*|içerik
الملف|المحتوى|הקובץ|התוכן|फ़ाइल|tệp|nội dung|berkas|isi
"""
WHOLE_UNSPACED: Final = (
    "文件|内容|內容|檔案|页面|頁面|条目|條目|部分|记录|記錄|ファイル|ページ|項目"
    "|파일|내용|항목|부분|ไฟล์|เนื้อหา"
)

#: What means a gap even by itself, between brackets or dots.
GAP: Final = r"""
unchanged|omitted|elided|truncated|snip|snipped|unverändert|ausgelassen|gekürzt
inchangé|omis|tronqué|sin cambios|omitid[oa]s?|truncado|inalterado|invariato|omesso
ongewijzigd|bez zmian|без изменений|пропущен\w*
(?:内容|以下|以上|中间|中間)?(?:省略|不变|不變|未变)|以下略|中略|생략
"""
