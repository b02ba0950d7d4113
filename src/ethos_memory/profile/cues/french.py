"""French."""

from __future__ import annotations

from typing import Final

from ethos_memory.profile.cues.cue import Cues

__all__ = ["FRENCH"]

FRENCH: Final = Cues(
    language="fr",
    common=(
        "le la les et ou est je tu il ne pas de du des un une en avec pour que qui dans "
        "sur mon ma mes moi ce cette c'est j'ai suis toujours jamais merci plus sans au qu'on j'enseigne préfère depuis ans aussi"
    ),
    connectors=(
        r"\s*;\s*|\s+[-–—]+\s+|,\s+(?:et|mais|donc|alors)\s+|"
        r",\s+(?=(?:parce|car|sinon|d'où)\b)|\s+et\s+(?=(?:je|s'il)\b)|(?<=\w)\s?:\s+"
    ),
    veto=(
        r"\b(?:ne|pas|rien|jamais|sans)\b[^.;!?]{0,30}\b(?:not(?:e[rsz]?|ons)|retien\w*|"
        r"retenir|garde[rsz]?|enregistr\w+|mémori\w+|mémoire|profil|répét\w+)\b|"
        r"^(?:privé|en privé|personnel)\b|"
        r"\bentre nous\b|\bconfidentiel|\ben (?:toute )?confidence\b|\bsous le sceau\b|"
        r"\bne (?:le |la |l')?(?:dis|répète|note|retiens|garde|mémorise|enregistre)\w* "
        r"(?:pas|à personne|rien)\b|\bsecret\b|\boublie (?:ça|cela|ce que)\b|"
        r"\bgarde (?:ça|cela|le) pour toi\b|\bje ne devrais pas (?:le )?dire\b|"
        r"\bpersonne ne (?:le )?sait\b|\bpas dans (?:mon|le) profil\b|\bça reste (?:ici|"
        r"entre)\b"
    ),
    material=(
        r"^(?:peux-tu )?(?:traduis|traduire|corrige|reformule|paraphrase|cite)\b|"
        r"^(?:écris|invente|raconte|rédige)\b[^.]{0,24}\b(?:histoire|poème|scène|"
        r"dialogue|roman|conte|chanson|blague)\b|\bdans (?:le|mon) (?:roman|film|livre)"
        r"\b|\b(?:dit|disait|écrit|a écrit|affiche)\b[^.?!]{0,16}[:,]?\s*\""
    ),
    others=(
        r"\b(?:chef|cheffe|patron|patronne|cliente?|clients|collègues?|prof|équipe|gens|"
        r"utilisateurs|relectrice|relecteur|direction|éditrice|éditeur|voisins?|on|"
        r"boîte)\b(?:\s+\w+){0,2}?\s+(?:préfère|préfèrent|veut|veulent|aime|aiment|"
        r"déteste|exige|demande|dit|disent|utilise)\b|\bsi je (?:préférais|voulais)\b"
    ),
    moment=(
        r"\baujourd'hui\b|\bce (?:soir|matin|midi|mois)\b|\bcette (?:fois|semaine|nuit)\b"
        r"|\bdemain\b|\bpour l'instant\b|\bpour le moment\b|\ben ce moment\b|"
        r"\bpressée?\b|\bjusqu'(?:à|au)\b|\bdans le (?:métro|train|bus)\b|\bfatiguée?\b|"
        r"\bsur mon (?:téléphone|portable)\b|\bdans (?:cinq|dix|\d+) minutes\b|"
        r"\bjuste cette fois\b|\bmauvaise connexion\b|\bpas le temps\b|\ben voyage\b"
    ),
    task=(
        r"\b(?:dans|pour|sur|à) (?:ce|cet|cette) \w+|\bs'appelle\b|\bje voulais dire\b|"
        r"\b(?:le|la|l') ?(?:port|colonne|ligne|fichier|table|bouton|champ|date|page|"
        r"dossier|variable|titre|onglet|image|adresse|client)\b|\bl'onglet\b|\d{2,}|"
        r"\bcoquille\b|\w+\.(?:ya?ml|json|py|ts|js|csv|md|txt|xlsx?|pdf)\b|"
        r"\b(?:deux|trois|quatre|cinq) \w+,? pas (?:deux|trois|quatre|cinq)\b"
    ),
    standing=(
        r"\btoujours\b|\bjamais\b|\bdésormais\b|\bdorénavant\b|\bà partir de maintenant\b"
        r"|\bpar défaut\b|\ben général\b|\bchaque fois\b|\bsystématiquement\b|"
        r"\bà l'avenir\b|\ben règle générale\b|\bdans tou(?:s|tes)\b|\bchaque \w+|"
        r"\bd'habitude\b|\bsans exception\b|\bpar principe\b|\bà chaque\b"
    ),
    wish=(
        r"\bje préfère\b|\bje préférerais\b|\bj'aime(?:rais)? (?:que|bien|mieux|avoir|"
        r"voir|quand|les réponses|commencer|lire)\b|\bje veux (?:que|toujours|des|les) "
        r"|\bje (?:travaille|code|écris|programme|lis|pense|compte) (?:toujours |en |"
        r"avec |sous |dans )|\bc'est (?:comme ça|ainsi) que je\b|\bplutôt que\b|"
        r"\bdans m(?:on|es|a) (?:code|textes?|projets?|notes|recettes|scripts|tests|"
        r"cours|livres|rapports|jardin)\b|\bj'apprends mieux\b|\bme suffit\b|"
        r"\bmon (?:habitude|style|réglage)\b|\bje suis plutôt\b|\bme va mieux\b"
    ),
    reaction=r"\bj'aime (?:bien )?(?:ça|cette|ce|cela|la|le)\b|\bje voudrais\b",
    style=(
        r"\b(?:sois|soyez|reste|réponds(?:-moi)?|va|fais) (?:\w+ )?(?:bref|brève|court|"
        r"concis|direct|clair|droit au but|formel|simple)\b|"
        r"\b(?:sans|pas de|moins de|évite|épargne-moi|arrête (?:avec )?(?:les|des|de)) "
        r"(?:\w+ )?(?:blabla|introduction|emojis|émojis|jargon|formules|politesses|"
        r"flatteries|excuses|listes|puces|préambule|fioritures|superlatifs)\b|"
        r"\bvouv(?:oie|oyer|oyez)\w*\b|\btut(?:oie|oyer|oyez)\w*\b|\bau but\b|"
        r"\b(?:avec|en) (?:mots simples|des exemples|termes simples)\b"
    ),
    rejection=(
        r"\bje ne (?:veux|supporte|veux plus|aime)\b|\bje n'(?:aime|ai pas besoin)\b|"
        r"\barrête(?:z)?\b|\bc'est trop\b|\btrop (?:compliqué|long|verbeux|abstrait|"
        r"malin|lourd|formel|bavard|chargé|technique)\b|\bplus de \w+|\bassez de\b|"
        r"\bpas fan\b|\bje ne suis pas d'accord\b|\bpas besoin de\b|\binutile de\b|"
        r"\bje déteste\b|\bencore un(?:e)? \w+|\bpas d'\w+ pour\b|\busine à gaz\b"
    ),
    objection=(
        r"^(?:non|faux|attends|en fait|pas|mauvais|à l'envers|stop)\b|"
        r"^ce n'est pas\b|^tu as (?:mis|utilisé|fait|laissé|écrit|oublié|ajouté)\b"
    ),
    practice=(
        r"\b(?:utilise|mets|fais|écris|prends|cite|teste|ici|plutôt|au lieu|il faut|"
        r"on (?:met|utilise|écrit)|je (?:veux|mets|préfère|garde|fais))\b"
    ),
    contrast=(
        r"\bau lieu d\b|\bplutôt que\b|,\s*pas (?:un|une|de|des|en|avec|d')\b|"
        r"\bpas (?:une|un|de) \w+"
    ),
    order=(
        r"^(?:s'il te plaît,? )?(?:ne )?(?:utilise|mets|fais|écris|donne|dis|montre|"
        r"explique|réponds|envoie|cite|évite|commence|ajoute|résume|préviens|demande|"
        r"garde|peux-tu|tu peux|pourrais-tu|rappelle|indique|propose|et celle|et celui)"
        r"(?:-\w+)*\b"
    ),
    expertise=(
        (
            (
                r"\bje (?:débute|commence) (?:en|avec|dans|sur) (?P<topic>[^.,;!?]+)|"
                r"\bdébutante?\b|\bje n'ai jamais (?:utilisé|touché|appris|fait de|codé en|"
                r"compris) (?P<topic2>[^.,;!?]+)|\bj'apprends (?P<topic3>[^.,;!?]+)|"
                r"\bje ne connais (?:rien|que|pas) (?P<topic4>[^.,;!?]+)|"
                r"\bje n'y connais rien\b|\bnovice\b|\bma première semaine\b"
            ),
            "is learning",
        ),
        (
            (
                r"\bj(?:e |')(?:maintiens|développe|enseigne|administre|dirige|gère|programme|"
                r"restaure|cultive) (?P<topic>[^.,;!?]+?) depuis\b|\bdepuis (?:\w+ )?(?:ans|"
                r"années|longtemps)\b|\bj(?:e |')(?:maintiens|enseigne|administre|entretiens) "
                r"(?P<topic2>[^.,;!?]+)|\bcela fait \w+ ans\b|\bça fait \w+ ans\b|"
                r"\bma thèse\b|\ben tant que (?:comptable|statisticien\w*|ingénieure?|prof\w*"
                r"|développeu\w+|boulang\w+|jardini\w+|photographe|traduct\w+|relect\w+)\b|"
                r"\bsur le bout des doigts\b|\bans d'expérience\b|\bmon métier\b"
            ),
            "is an expert in",
        ),
    ),
    lecture=(
        r"\bparce que\b|\bcar\b|\bsinon\b|\bd'où\b|\bne \w+ que (?:si|dans|après)\b|"
        r"\bne suffit pas\b|\btant que\b|\bc'est pourquoi\b|\bne garantit\b"
    ),
    echo=r"\baussi\b|\bencore\b|\bde nouveau\b|\bpareil\b|\bégalement\b|\bs'il te plaît$",
    traits=(
        (
            r"\bplus court\w*\b|\bplus bref\b|\braccourci\w*\b|\ben une phrase\b|\bbref\b",
            "User prefers short answers",
        ),
        (r"^(?:et )?pourquoi\b", "User often asks why: wants the reasoning"),
        (
            r"\b(?:en|dans un|sous forme de) tableau\b",
            "User prefers tables for comparisons",
        ),
        (r"\bexemples?\b", "User wants an example with an explanation"),
        (r"\basync\b|\basynchrone\b", "User prefers async code"),
        (r"\bpuces\b|\ben liste\b", "User prefers bullet points"),
        (r"\bmots simples\b|\bsans jargon\b", "User wants plain words without jargon"),
        (r"\bétape par étape\b|\bpas à pas\b", "User wants steps one by one"),
        (
            r"\bligne de commande\b|\bterminal\b",
            "User prefers the command line to a GUI",
        ),
        (
            r"\b(?:laquelle|lequel) (?:choisirais|recommandes|prendrais|conseilles)\w*\b",
            "User wants one recommendation",
        ),
        (
            r"\bsans classes?\b|\bque des fonctions\b",
            "User prefers functions to classes",
        ),
        (
            r"\bsans (?:les )?commentaires\b|\b(?:enlève|retire) les commentaires\b",
            "User wants code without extra comments",
        ),
        (r"\ben grammes\b", "User prefers metric units"),
        (r"\b(?:en|le) diff\b", "User wants changes shown as a diff"),
        (r"\ben une (?:seule )?ligne\b", "User likes one-line solutions"),
    ),
)
