"""German, Spanish, French and Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ethos_memory.profile.private.category import Category

__all__ = ["CHINESE", "FRENCH", "GERMAN", "SPANISH"]

GERMAN: Final[Mapping[Category, str]] = {
    "credential": (
        r"\b(?:passwort|passwörter|kennwort|zugangsdaten|geheimzahl|pin lautet|meine pin|"
        r"wlan-schlüssel|wiederherstellungs\w+|zugangscode)\b"
    ),
    "instruction": (
        r"\b(?:ignoriere?|missachte?|vergiss|umgehe?) (?:\w+ ){0,4}(?:anweisungen|regeln|"
        r"vorgaben|sicherheits\w*)|\bohne (?:zu fragen|nachfrage|rückfrage)\b|"
        r"\bsystemprompt\b"
    ),
    "confidence": r"\bunter uns\b|\bvertraulich\b|\bim vertrauen\b|\bgeheim",
    "health": (
        r"\b(?:arzt|ärztin|ärzte|hausarzt|zahnarzt|krankenhaus|krank|krankheit|"
        r"krankgeschrieben|allerg\w*|schwanger\w*|diabet\w*|migräne\w*|tabletten|"
        r"medikament\w*|operation am|operiert|therap(?:ie|eut\w*)|farben?blind\w*|rotgrün"
        r"\w*|legasthen\w*|asthma\w*|depress\w*|burnout|schmerz\w*|rücken\w*|diagnose\w*|"
        r"krebs|reha|bandscheibe\w*|schlaflos\w*|rezept vom|sehschwäche|sehbehindert|"
        r"schwerhörig|gehörlos|adhs|autis\w*|dosis|spritze|impf\w*|heuschnupfen|fieber)\b"
    ),
    "finance": (
        r"\b(?:gehalt|lohn|miete|schulden|kredit|hypothek|konto|kontostand|rente|"
        r"steuererklärung|pleite|insolven\w*|ersparnisse|verdiene|erspartes|dispo|"
        r"überziehung|abfindung|unterhalt|schufa|bafög|bürgergeld|erbe|geerbt)\b|"
        r"\d+(?:[.,]\d+)? ?(?:euro|€)"
    ),
    "relationship": (
        r"\b(?:meine?[rnm]?|unsere?[rnm]?) (?:\w+ )?(?:frau|mann|freundin|freund|sohn|"
        r"tochter|kind(?:er)?|eltern|mutter|vater|bruder|schwester|ex|oma|opa|familie|"
        r"partner(?:in)?|verlobte[rn]?|zwillinge|schwieger\w+|schatz)\b|\bscheidung\b|"
        r"\bgeschieden\b|\bverheiratet\b|\bgetrennt\b|\bhochzeit\b|\bverliebt\b|\bbeziehung\b"
    ),
    "account": (
        r"\bmeine? (?:\w+ )?(?:handynummer|telefonnummer|nummer|nutzername|benutzername|"
        r"account|konto|e-?mail\w*|adresse|mailadresse|kundennummer|personalausweis\w*|"
        r"steuernummer|steuer-?id)\b|\bbei (?:github|telegram|discord|mastodon) (?:heiße|"
        r"bin)\b|\berreichst mich\b|\bals \S+ angemeldet\b"
    ),
    "location": (
        r"\b(?:wohne|wohnen|wohnhaft|lebe|leben|umgezogen|ziehe) (?:\w+ )?(?:in|im|an|am|"
        r"bei|nach|auf|um|seit|neben|zur)\b|\bich (?:komme|bin|stamme) (?:\w+ )?aus\b|"
        r"\baufgewachsen\b|\bgeboren in\b|\bmeine (?:adresse|straße|wohnung)\b|\bzuhause in\b|"
        r"\bbüro (?:ist|liegt) in\b|\b(?-i:[A-ZÄÖÜ])\w+(?:straße|str\.|weg|gasse|allee|"
        r"platz|ring) \d+"
    ),
    "name": (
        r"\bich heiße\b|\bich bin(?: (?:der|die))? (?-i:[A-ZÄÖÜ])(?!\w*(?:er|erin|in|ist|"
        r"mann|frau|ling|eur|or|ent|entin)\b)\w+\b|\bmein(?:e)? (?:\w+ )?name\b|\bnenn mich\b|"
        r"\bich werde \w+ genannt\b|\b(?-i:[A-ZÄÖÜ])\w+ hier\b[,.:]|\bhier ist (?-i:[A-Z])"
    ),
    "emotion": (
        r"\b(?:traurig|wütend|ängstlich|angst|einsam|gestresst|verzweifelt|frustriert|"
        r"deprimiert|glücklich|überfordert|nervös|schäme|heulen|weinen|panik|verletzt|"
        r"erschöpft|perfektionist\w*|unsicher|selbstzweifel|genervt|stolz auf mich|"
        r"niedergeschlagen|fühle mich|liebeskummer|hasse montage)\b"
    ),
    "temporary": (
        r"\bheute\b|\bgerade\b(?! (?:ge)?rückt)|\bim moment\b|\bdiese woche\b|\bin eile\b|"
        r"\beilig\b|\bmüde\b|\bdiesmal\b|\bausnahmsweise\b"
    ),
}

SPANISH: Final[Mapping[Category, str]] = {
    "credential": r"\bcontraseñas?\b|\bclave (?:es|del|de la|de mi)\b|\bmi pin\b",
    "instruction": (
        r"\b(?:ignora|ignores|olvida|omite|sáltate) (?:\w+ ){0,4}(?:instrucciones|reglas|"
        r"normas|seguridad)\b|\bsin (?:preguntar|permiso|confirmación)\b|"
        r"\binstrucciones (?:ocultas|internas)\b"
    ),
    "confidence": r"\bentre nosotros\b|\bconfidencial\w*\b|\ben secreto\b",
    "health": (
        r"\b(?:médic[oa]s?|doctora?|enferm\w*|alergi\w*|alérgic\w*|embaraz\w*|dosis|"
        r"pastillas?|dalt[oó]nic\w*|dislexi\w*|disléxic\w*|operación|operaron|diabet\w*|"
        r"diabétic\w*|migrañas?|hospital|terapi\w*|asma|asmátic\w*|depresi\w*|ansiedad|"
        r"diagnostic\w*|receta médica|fiebre|dolor\w*|me duele|medicación|insomnio|tdah|"
        r"autis\w*|cáncer|lesión|miope|discapacidad|tratamiento|vacuna\w*)\b"
    ),
    "finance": (
        r"\b(?:sueldo|salario|nómina|hipoteca|deudas?|debo|cobro|gano|alquiler|ahorros|"
        r"préstamo|pensión|quiebra|arruinad\w*|cuenta bancaria|tarjeta de|embarg\w*|"
        r"finiquito|herencia|no me llega)\b|\d+(?:[.,]\d+)? ?(?:euros?|€|pesos)"
    ),
    "relationship": (
        r"\b(?:mi|mis) (?:\w+ )?(?:marido|mujer|espos[oa]|novi[oa]|hij[oa]s?|madre|padre|"
        r"padres|herman[oa]s?|pareja|ex|familia|suegr[oa]|abuel[oa]s?|prim[oa]s?|niñ[oa]s?|"
        r"bebé|gemel[oa]s)\b|\bdivorci\w*\b|\bcasad[oa]\b|\bseparad[oa]\b|\bboda\b|"
        r"\bme caso\b"
    ),
    "account": (
        r"\bmi (?:\w+ )?(?:usuario|cuenta|teléfono|móvil|correo|número|whatsapp|dni|"
        r"pasaporte|instagram|telegram)\b|\bme encuentras (?:en|como)\b"
    ),
    "location": (
        r"\b(?:vivo|vivimos|resido|nací|crecí|me mudé|nos mudamos|me he mudado) (?:\w+ )?"
        r"(?:en|a|cerca|por|al)\b|\bsoy de (?-i:[A-ZÁÉÍÓÚ])\w+|\bmi (?:casa|dirección|"
        r"calle|barrio|pueblo|piso)\b|\bcalle (?-i:[A-ZÁÉÍÓÚ])|\bmi oficina está\b|"
        r"\bestoy en (?-i:[A-ZÁÉÍÓÚ])\w+"
    ),
    "name": (
        r"\bme llamo\b|\bmi (?:\w+ )?(?:nombre|apellido)\b|\bsoy (?-i:[A-ZÁÉÍÓÚÑ])[a-záéíóúñ]"
        r"+\b|\bllámame\b|\baquí (?-i:[A-ZÁÉÍÓÚÑ])[a-záéíóúñ]+[,.:]"
    ),
    "emotion": (
        r"\b(?:triste|enfadad\w*|ansios\w*|miedo|sol[oa] y|estresad\w*|deprimid\w*|feliz|"
        r"agobiad\w*|nervios\w*|vergüenza|llorar|lloro|pánico|frustrad\w*|agotad\w*|"
        r"harto|harta|desesperad\w*|me siento|perfeccionista|insegur\w*|culpable)\b|"
        r"\bodio los lunes\b|\bestamos mal\b"
    ),
    "temporary": (
        r"\bhoy\b|\bahora mismo\b|\bpor ahora\b|\besta (?:semana|vez|noche)\b|\bcon prisa\b"
    ),
}

FRENCH: Final[Mapping[Category, str]] = {
    "credential": r"\bmots? de passe\b|\bcode pin\b|\bmon pin\b|\bcode d'accès\b|\bidentifiants\b",
    "instruction": (
        r"\b(?:ignore|ignorez|oublie|contourne) (?:\w+ ){0,4}(?:instructions|règles|"
        r"consignes|sécurité)\b|\bsans (?:demander|permission|confirmation)\b|"
        r"\binstructions (?:cachées|internes)\b"
    ),
    "confidence": r"\bentre nous\b|\bconfidentiel\w*\b|\ben secret\b",
    "health": (
        r"\b(?:médecin|docteur|hôpital|malad\w*|enceinte|daltonien\w*|allergi\w*|dyslexi\w*|"
        r"dyslexique|opération|opérée?|traitement|migraines?|ordonnance|diabét\w*|diabète|"
        r"asthm\w*|dépressi\w*|déprimée?|thérap\w*|psy|cancer|médicaments?|insomni\w*|"
        r"douleurs?|mal (?:au|à la|aux) \w+|fièvre|tdah|autis\w*|handicap\w*|blessure|"
        r"myope|malvoyante?|arrêt maladie|vaccin\w*|dose)\b"
    ),
    "finance": (
        r"\b(?:salaire|loyer|dettes?|hypothèque|prêt (?:immobilier|étudiant)|épargne|"
        r"découvert|retraite|faillite|ruinée?|compte (?:bancaire|en banque)|je gagne|"
        r"je dois \d|fauchée?|héritage|pension|impôts|crédit immobilier|dépôt de bilan|"
        r"déposer le bilan)\b|\d+(?:[.,]\d+)? ?(?:euros?|€)"
    ),
    "relationship": (
        r"\b(?:mon|ma|mes|notre|nos) (?:\w+ )?(?:mari|femme|copain|copine|fils|fille|mère|"
        r"père|frère|sœur|soeur|enfants?|parents|ex|famille|conjointe?|compagne|compagnon|"
        r"bébé|belle-\w+|beau-\w+|jumeaux|petit ami|petite amie)\b|\bdivorc\w*\b|"
        r"\bmariée?\b|\bséparée?s?\b|\bmariage\b|\bamoureu\w+\b"
    ),
    "account": (
        r"\bmon (?:\w+ )?(?:pseudo|compte|numéro|adresse|mail|e-?mail|courriel|identifiant|"
        r"téléphone|portable|instagram|telegram)\b|\bje suis \S+ sur (?:github|discord|"
        r"mastodon|telegram|matrix)\b|\bjoindre (?:au|à|sur)\b"
    ),
    "location": (
        r"\b(?:j'habite|j'habitais|nous habitons|je vis|je réside|j'ai grandi|je suis né|"
        r"je suis née|j'ai déménagé|je déménage|on habite)\b|\bje (?:viens|suis) (?:de|d'|à) ?"
        r"(?-i:[A-ZÀÉÈ])\w+|\bmon (?:adresse|quartier|village|appartement|bureau est)\b|"
        r"\bma (?:rue|ville|maison)\b|\brue (?:de |du |des )?(?-i:[A-ZÀÉÈ])"
    ),
    "name": (
        r"\bje m'appelle\b|\bmon (?:nom|prénom)\b|\bma signature\b|\bappelle-moi\b|"
        r"\bje suis (?-i:[A-ZÀÉÈ])[a-zàéèêîôç]+\b|\bmoi c'est\b|\bici (?-i:[A-ZÀÉÈ])\w+[,.:]"
    ),
    "emotion": (
        r"\b(?:triste|en colère|anxieu\w+|peur|seule?|stressée?|heureu\w+|angoiss\w+|"
        r"nerveu\w+|honte|pleurer|pleure|panique|frustrée?|épuisée?|désespér\w+|débordée?|"
        r"perfectionniste|coupable|marre|déteste les lundis|le moral|je me sens)\b"
    ),
    "temporary": (
        r"\baujourd'hui\b|\bpour l'instant\b|\bce soir\b|\bcette (?:semaine|fois)\b|"
        r"\bpressée?\b"
    ),
}

CHINESE: Final[Mapping[Category, str]] = {
    "credential": r"密码|口令|验证码|私钥|密钥是|助记词|恢复码|PIN码",
    "instruction": (
        r"(?:忽略|无视|忘记|绕过).{0,8}(?:指令|规则|限制|提示|安全)|系统提示词|"
        r"不(?:用|要|必)(?:问|确认|经)我?.{0,4}(?:就|直接)(?:执行|运行|删)"
    ),
    "confidence": r"保密|别告诉|私下|秘密|机密",
    "health": (
        r"医生|医院|大夫|过敏|怀孕|生病|吃药|药|手术|失眠|抑郁|色盲|色弱|近视|糖尿|体检|病|"
        r"头疼|头痛|腰疼|胃疼|发烧|熬夜|治疗|确诊|诊断|焦虑症|多动症|自闭|癌|残疾|阅读障碍|偏头痛"
    ),
    "finance": (
        r"工资|薪水|月薪|年薪|房贷|车贷|欠(?:钱|债|了)|存款|房租|贷款|破产|信用卡|养老金|炒股|"
        r"亏了|赚了|收入|还款|没钱|公积金|负债|花呗|奖金"
    ),
    "relationship": (
        r"老婆|老公|妻子|丈夫|女朋友|男朋友|女友|男友|离婚|分手|结婚|儿子|女儿|父母|妈妈|爸爸|我妈|"
        r"我爸|孩子|家人|前任|前夫|前妻|哥哥|弟弟|姐姐|妹妹|婆婆|岳母|对象|暗恋|恋爱|相亲"
    ),
    "account": (
        r"微信号?|手机号|账号|帐号|邮箱|QQ|身份证|电话(?:是|号)|用户名|支付宝|银行卡|微博|护照"
    ),
    "location": (
        r"我(?:现在)?(?:住|家在|家住|搬到|搬家|老家|出生|人在|来自)|我在.{1,8}(?:市|区|县|省|镇|路|街|园区|小区)"
        r"|家住|住址|地址是|办公室在|门牌"
    ),
    "name": r"我叫|我的名字|叫我|我姓|本名|真名|我是[\u4e00-\u9fff]{2,3}[，,。]|名叫",
    "emotion": (
        r"难过|伤心|生气|焦虑|害怕|孤独|压力(?:好|很|太)?大|崩溃|开心|高兴|绝望|沮丧|烦死|"
        r"讨厌周一|哭|紧张|羞愧|自卑|内疚|心情|郁闷|疲惫|好累|完美主义|恐慌|失落|委屈"
    ),
    "temporary": r"今天|今晚|现在赶|赶时间|这周|这次|暂时",
}
