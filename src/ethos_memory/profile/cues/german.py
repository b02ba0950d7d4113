"""German."""

from __future__ import annotations

from typing import Final

from ethos_memory.profile.cues.cue import Cues

__all__ = ["GERMAN"]

GERMAN: Final = Cues(
    language="de",
    common=(
        "der die das und oder ist ich du sie es nicht mit bitte von im den dem ein eine "
        "kein keine mir mich wie auch auf für hier immer nie war als zu sind mein am hätte habe haben dass bei nein nimm statt kurz danke"
    ),
    connectors=(
        r"\s*;\s*|\s+[-–—]+\s+|,\s+(?:und|aber|also|deshalb|darum)\s+|"
        r",\s+(?=(?:weil|da|sonst|bitte)\b)|\s+und\s+(?=(?:ich|bitte)\b)|(?<=\w):\s+"
    ),
    veto=(
        r"\b(?:nicht|nie|nichts|kein\w*|nirgends)\b[^.;!?]{0,40}\b(?:merken|speicher\w*|"
        r"notier\w*|aufschreib\w*|profil|protokoll\w*|festhalten|behalten|weitergeben|"
        r"weitersagen)\b|^(?:streng )?(?:privat|vertraulich|geheim)\b|"
        r"\bunter uns\b|\bim vertrauen\b|\bvertraulich\b|\bbehalt(?:e)? (?:das|es) für "
        r"dich\b|\bnicht (?:merken|speichern|notieren|aufschreiben|weitersagen|ins "
        r"profil)\b|\bmerk dir das nicht\b|\bbleibt (?:unter uns|hier|in diesem chat)\b|"
        r"\bvergiss (?:das|es)\b|\bsag(?:'s| es)? niemandem?\b|\bgeheim|"
        r"\bdarf ich (?:eigentlich )?nicht (?:sagen|erzählen)\b|\bniemand weiß\b"
    ),
    material=(
        r"^(?:bitte )?(?:übersetze?|formuliere? .* um|korrigiere?|zitiere?)\b|"
        r"^(?:bitte )?(?:schreibe?|erzähle?|dichte?)\b[^.]{0,24}\b(?:geschichte|gedicht|"
        r"szene|dialog|roman|lied|märchen|witz)|\bim (?:roman|buch|film|stück)\b|"
        r"\b(?:sagte?|schrieb|schreibt|steht|heißt es|meinte?)\b[^.?!]{0,16}[:,]?\s*\""
    ),
    others=(
        r"\b(?:chefin|chef|kundin|kunden?|kollegen?|kollegin|lehrer(?:in)?|team|leute|"
        r"nutzer|man|redaktion|professor(?:in)?|firma|nachbar(?:in)?)\b(?:\s+\w+){0,2}?"
        r"\s+(?:mag|mögen|will|wollen|möchte|bevorzugt|bevorzugen|verlangt|hasst|sagt|"
        r"meint|liebt|schreibt|nutzt|braucht)\b|\bwenn ich .* (?:hätte|wollte|würde)\b|"
        r"\bangenommen\b"
    ),
    moment=(
        r"\bheute\b|\bmorgen\b|\bgerade\b|\bim moment\b|\bmomentan\b|\bzurzeit\b|"
        r"\bdiesmal\b|\bnur (?:diesmal|jetzt|kurz)\b|\bausnahmsweise\b|\bbis (?:montag|"
        r"dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|zum|zur|morgen)\b|"
        r"\bdiese woche\b|\beilig\b|\bin eile\b|\bmüde\b|\bunterwegs\b|\bim (?:zug|bus|"
        r"auto|café|urlaub|stress)\b|\bam handy\b|\bvorerst\b|\berst ?mal\b|"
        r"\bin (?:fünf|zehn|\d+) minuten\b|\bheute abend\b|\bgleich (?:los|weg|"
        r"meeting|termin)\b|\bschlechte[sr]? (?:netz|verbindung|empfang)\b"
    ),
    task=(
        r"\b(?:in|für|bei|an|auf) dies(?:er|em|en|es|e) \w+|\bheißt \w+,|\bich meinte\b|"
        r"\btippfehler\b|\b(?:der|die|das) (?:port|spalte|zeile|datei|tabelle|knopf|"
        r"feld|termin|adresse|seite|ordner|variable|kunde|überschrift|bild|datum)\b|"
        r"\b(?:zwei|drei|vier|fünf|sechs) \w+,? nicht (?:zwei|drei|vier|fünf|sechs)\b|"
        r"\bnur hier\b|\w+\.(?:ya?ml|json|py|ts|js|csv|md|txt|xlsx?|pdf)\b|\d{2,}"
    ),
    standing=(
        r"\bimmer\b|\bnie(?:mals)?\b|\bgrundsätzlich\b|\bgenerell\b|\bab (?:jetzt|sofort"
        r"|heute)\b|\bkünftig\b|\bin zukunft\b|\bstets\b|\bjedes ?mal\b|\bin der regel\b|"
        r"\bstandardmäßig\b|\bvon nun an\b|\bprinzipiell\b|\bim allgemeinen\b|"
        r"\bnormalerweise\b|\bjede[nrsm]? \w+|\bin all(?:en|em)\b|\bbei allen?\b|"
        r"\bsobald\b|\bausnahmslos\b"
    ),
    wish=(
        r"\b(?:ziehe?|zöge) (?:ich )?\w.* vor\b|\bbevorzuge\b|\blieber\b|\bam liebsten\b|"
        r"\bich (?:mag|hätte gern|schreibe|nutze|benutze|verwende|arbeite|lerne|lese|"
        r"denke) (?:\w+ ){0,4}(?:nur|am besten|gern|lieber|immer|nie|mit|in|statt)\b|"
        r"\bso (?:mache|schreibe|halte|lese|arbeite) ich\b|\bbei mir\b|\breichen? mir\b|"
        r"\bin meine[nrm] (?:code|texten|projekten|notizen|unterlagen|rezepten|skripten|"
        r"tests|tabellen|büchern)\b|\bmir (?:ist|sind|reicht|genügt|hilft|liegt)\b|"
        r"\bfür mich (?:bitte|am|besser|reicht)\b"
    ),
    reaction=r"\bich (?:mag|liebe) (?:es|das|die|den)\b(?! wenn)|\bgefällt mir\b",
    style=(
        r"\b(?:fass dich|fasse dich|halt(?:e)? (?:es|dich)|antworte?(?: mir)?) (?:\w+ )?"
        r"(?:kurz|knapp|sachlich|direkt|kürzer|ausführlich|einfach)\b|"
        r"\b(?:ohne|kein|keine|keinen|weniger|spar dir|lass) (?:\w+ )?(?:floskeln|"
        r"höflichkeiten|einleitung|vorrede|emojis?|fachjargon|jargon|smileys|romane|"
        r"fachchinesisch|aufzählungen|stichpunkte|fließtext|entschuldigungen|"
        r"ausschweifungen|marketing\w*)\b|\bauf (?:englisch|deutsch|französisch|spanisch)\b|\bduzen\b|\bsiezen\b|\bstichpunkte\b|"
        r"\bin (?:einfachen|klaren|kurzen) (?:worten|sätzen)\b|\bkomm(?:e)? zum punkt\b"
    ),
    rejection=(
        r"\b(?:ist|das ist|wirkt) (?:mir )?(?:viel )?zu (?:\w+)\b|\bzu (?:verschachtelt|"
        r"kompliziert|umständlich|lang|ausführlich|blumig|clever|förmlich)\b|"
        r"\bich (?:will|möchte|brauche|mag) (?:hier )?(?:keine?n?|nicht)\b|"
        r"\bhör (?:bitte )?auf\b|\bbitte keine?n?\b|\bkeine?n? (?:weiteren?|neuen?|"
        r"zusätzlichen?|mehr)\b|\bhalte ich (?:nichts|für)\b|\bkein fan\b|"
        r"\bnicht schon wieder\b|\bschon wieder\b|\blass (?:bitte )?(?:das|die|den)\b|"
        r"\büberflüssig\b|\bübertrieben\b|\bwiderspreche\b|\bnervt\b"
    ),
    objection=(
        r"^(?:nein|nee|nö|falsch|nicht|doch|stopp?|moment|eigentlich|halt|quatsch)\b|"
        r"^das (?:ist|war) (?:falsch|nicht|kein)\b|^du hast\b|^schon wieder\b"
    ),
    practice=(
        r"\bbitte\b|\bstatt\b|\bsondern\b|\bnicht (?:mit|als|in|per|über|im)\b|"
        r"\b(?:nimm|nutze?|verwende|schreib|mach|setz|lass|benutze?|zitiere?|prüfe?|"
        r"teste?|lege?|stell)\w*\b|\bich will\b|\bbei mir\b|\bgehört\b|\bgehören\b|"
        r"\bkommt (?:zuerst|vor|nach|in)\b|\bso mache ich\b"
    ),
    contrast=r"\bnicht (?:mit|als|in|per|über|im)\b|\bstatt\b|\bsondern\b|\bbitte \w+",
    order=(
        r"^(?:bitte )?(?:nimm|nutze?|verwende|schreib|mach|zeig|gib|nenn|sag|erklär|"
        r"antworte?|stell|setz|lass|frag|prüf|teste?|fass|halt|verlinke?|benutze?|"
        r"schick|rechne?|lieber|kannst du|könntest du|und das)\w*\b"
    ),
    expertise=(
        (
            (
                r"\b(?:keine ahnung|wenig ahnung|kein plan|keine erfahrung)\b|"
                r"\b(?:von|in|mit) (?P<topic>[\w.#+-]+) (?:habe ich|hab ich|kenne ich mich) "
                r"(?:\w+ )?(?:keine ahnung|nicht|wenig|kaum)\b|\bneu(?:ling)? (?:in|bei|mit|"
                r"im) (?P<topic2>[\w.#+-]+)|\banfänger(?:in)?\b|\bich lerne (?:gerade )?"
                r"(?P<topic3>[\w.#+-]+)|\bnoch nie (?:mit )?(?P<topic4>[\w.#+-]+)|"
                r"\bganz von vorn\b|\berste woche\b|\bverstehe ich (?:noch )?nicht\b|"
                r"\beinsteiger(?:in)?\b|\bmit (?P<topic5>[\w.#+-]+) fange ich\b|\bfange gerade (?:erst )?(?:mit )?(?P<topic6>[\w.#+-]+)"
            ),
            "is learning",
        ),
        (
            (
                r"\bich (?:betreue|warte|pflege|entwickle|unterrichte|lehre|leite|baue|"
                r"programmiere|administriere|schreibe|arbeite|braue|backe|züchte|fotografiere)"
                r"\b[^.;]*\b(?:seit|jahren?)\b[^.;]*?(?P<topic>\b[A-Z][\w-]+)?|"
                r"\bseit (?:vielen |über |mehr als |zehn |fünfzehn |zwanzig |acht |\d+ )?"
                r"jahren\b|\bich (?:betreue|warte|pflege|unterrichte|lehre) |"
                r"\bals (?:gelernte[rn]?|ausgebildete[rn]?|buchhalter\w*|statistiker\w*|"
                r"entwickler\w*|lehrer\w*|ingenieur\w*|gärtner\w*|bäcker\w*|redakteur\w*)\b|"
                r"\bin- und auswendig\b|\bmeine (?:doktorarbeit|dissertation|diplomarbeit)\b|"
                r"\bjahre(?:lange)? erfahrung\b"
            ),
            "is an expert in",
        ),
    ),
    lecture=(
        r"\bweil\b|\bsonst\b|\bdeshalb\b|\bnur (?:wenn|dann|innerhalb|bis|ab)\b|"
        r"\bgeht dir\b|\breicht nicht\b|\bkannst du nicht\b|\bist nicht (?:thread|"
        r"kommutativ|atomar|stabil|dasselbe)|\berst (?:ab|nach|wenn)\b|\bdenn\b"
    ),
    echo=r"\bauch\b|\bnochmal\b|\bwieder\b|\bebenfalls\b|\bgenauso\b|\bbitte$",
    traits=(
        (
            r"\bkürzer\b|\bkurz\b|\bknapp(?:er)?\b|\bin einem satz\b|\bkürze\b",
            "User prefers short answers",
        ),
        (
            r"\bals tabelle\b|\bin einer tabelle\b|\btabellarisch\b",
            "User prefers tables for comparisons",
        ),
        (
            r"^(?:und )?(?:warum|wieso|weshalb)\b",
            "User often asks why: wants the reasoning",
        ),
        (r"\bbeispiele?\b", "User wants an example with an explanation"),
        (r"\basync\b|\basynchron\b", "User prefers async code"),
        (
            r"\btypannotationen\b|\btype hints?\b|\btyphinweise\b",
            "User wants type hints",
        ),
        (r"\bstichpunkte?n?\b|\bals liste\b", "User prefers bullet points"),
        (
            r"\beinfache[nr]? worten?\b|\bohne (?:fach)?jargon\b|\bfachbegriffe\b",
            "User wants plain words without jargon",
        ),
        (
            r"\bkommandozeile\b|\bterminal\b|\bohne gui\b",
            "User prefers the command line to a GUI",
        ),
        (r"\bschritt für schritt\b", "User wants steps one by one"),
        (r"\bals diff\b", "User wants changes shown as a diff"),
        (
            (
                r"\bwas (?:würdest du|empfiehlst du)\b|\bwelche[ns]? (?:würdest|nimmst|"
                r"empfiehlst)\b"
            ),
            "User wants one recommendation",
        ),
        (r"\bohne klassen?\b|\bnur funktionen\b", "User prefers functions to classes"),
        (
            r"\bohne kommentare\b|\bkommentare (?:raus|weg)\b",
            "User wants code without extra comments",
        ),
        (r"\bin gramm\b|\bmetrisch\b", "User prefers metric units"),
    ),
)
