"""Spanish."""

from __future__ import annotations

from typing import Final

from ethos_memory.profile.cues.cue import Cues

__all__ = ["SPANISH"]

SPANISH: Final = Cues(
    language="es",
    common=(
        "el la los las y o es no que de en un una con por para me te lo mi yo soy este "
        "esta se siempre nunca favor quiero como al del muy pero ya eso"
    ),
    connectors=(
        r"\s*;\s*|\s+[-–—]+\s+|,\s+(?:y|pero|así que|por eso|o sea)\s+|"
        r",\s+(?=(?:porque|pues|ya que)\b)|\s+y\s+(?=(?:quiero|prefiero|siempre)\b)|(?<=\w):\s+|^como [^,]*,\s+"
    ),
    veto=(
        r"\b(?:no|nada|nunca|sin)\b[^.;!?]{0,30}\b(?:guard\w+|escrib\w+|apunt\w+|anot\w+|recuerdes|"
        r"record\w+|registr\w+|memori\w+|perfil)\b|^(?:privado|en privado|personal)\b|"
        r"\bentre (?:nosotros|tú y yo|nos)\b|\bque quede entre\b|\bconfidencial|"
        r"\ben confianza\b|\ben secreto\b|\bsecreto\b|\bno (?:lo|la|se lo) (?:digas|"
        r"cuentes|guardes|apuntes|recuerdes|anotes|memorices)\b|\bno (?:guardes|apuntes|"
        r"recuerdes|anotes) (?:esto|eso)\b|\bolvida (?:esto|eso)\b|\bno debería "
        r"(?:decir|contar)|\bnadie (?:lo )?sabe\b|\boff the record\b|\bextraoficial"
    ),
    material=(
        r"^(?:por favor,? )?(?:traduce|traducir|corrige|parafrasea|cita)\b|"
        r"^(?:escribe|inventa|cuenta|redacta)\b[^.]{0,24}\b(?:cuento|poema|escena|"
        r"historia|diálogo|novela|canción|chiste)\b|\ben (?:la|mi) (?:novela|película|"
        r"obra)\b|\b(?:dice|dijo|escribió|pone|escribe)\b[^.?!]{0,16}[:,]?\s*\""
    ),
    others=(
        r"\b(?:jefe|jefa|cliente|clienta|clientes|compañeros?|compañeras?|profesora?|"
        r"equipo|gente|usuarios|editora?|empresa|director|directora|vecinos?|todos)\b"
        r"(?:\s+\w+){0,2}?\s+(?:prefiere|prefieren|quiere|quieren|odia|exige|usa|usan|"
        r"dice|dicen|pide|pidió|le gusta|les gusta)\b|\bsi (?:yo )?(?:prefiriera|"
        r"quisiera|fuera)\b"
    ),
    moment=(
        r"\bhoy\b|\bmañana\b|\besta (?:vez|noche|tarde|semana|mañana)\b|\bahora mismo\b|"
        r"\bpor ahora\b|\bde momento\b|\bcon prisa\b|\bprisa\b|\bhasta (?:el|que|la)\b|"
        r"\bsolo por esta\b|\bcansad[oa]\b|\ben el (?:metro|tren|autobús|bus|móvil|"
        r"coche)\b|\bdesde el móvil\b|\ben (?:cinco|diez|\d+) minutos\b|\besta noche\b|"
        r"\bmala conexión\b|\beste mes\b|\bmientras\b"
    ),
    task=(
        r"\b(?:en|para|de|a) est[ea] (?:\w+)|\bse llama\b|\bquise decir\b|\berrata\b|"
        r"\b(?:el|la) (?:puerto|columna|fila|archivo|fichero|tabla|botón|campo|fecha|"
        r"página|carpeta|variable|título|dirección|línea|imagen)\b|\d{2,}|"
        r"\b(?:dos|tres|cuatro|cinco) \w+,? no (?:dos|tres|cuatro|cinco)\b|"
        r"\w+\.(?:ya?ml|json|py|ts|js|csv|md|txt|xlsx?|pdf)\b|\bsolo aquí\b"
    ),
    standing=(
        r"\bsiempre\b|\bnunca\b|\bjamás\b|\ba partir de ahora\b|\bde ahora en adelante\b|"
        r"\bpor defecto\b|\ben general\b|\bcada vez\b|\bpor regla general\b|"
        r"\bnormalmente\b|\ben tod[oa]s?\b|\bcada \w+|\ben adelante\b|\bde aquí en "
        r"adelante\b|\bcomo norma\b|\bhabitualmente\b|\bpor costumbre\b|\bcuando te pida"
    ),
    wish=(
        r"\bprefiero\b|\bpreferiría\b|\bme gustan? (?:que|ver|más|tener|las? respuestas?"
        r"|los? ejemplos?|el código|empezar|leer)\b|\bme (?:resulta|va|funciona|viene) "
        r"(?:mejor|más)\b|\bmejor (?:si|con|en) \w+|\bquiero que (?:me|siempre|las|los|"
        r"tus)\b|\b(?:yo )?(?:suelo|uso|trabajo|escribo|programo) (?:siempre |solo |"
        r"con |en )|\bes como (?:yo )?(?:lo )?(?:hago|leo|trabajo|escribo)\b|"
        r"\ben mis? (?:código|textos|proyectos|notas|apuntes|recetas|libros|scripts|"
        r"pruebas|clases|informes)\b|\baprendo mejor\b|\bme basta\b|\bmi (?:norma|"
        r"costumbre|estilo) es\b|\bsoy más de\b"
    ),
    reaction=r"\bme (?:gusta|encanta) (?:esto|eso|esta|este|la|el)\b|\bme gustaría\b",
    style=(
        r"\b(?:sé|se|responde|contesta|contéstame|respóndeme|ve) (?:\w+ )?(?:breve|"
        r"corto|conciso|concisa|directo|directa|al grano|claro|formal)\b|"
        r"\b(?:sin|nada de|menos|evita|ahórrate|deja) (?:\w+ )?(?:rodeos|introducciones|"
        r"introducción|emojis|jerga|tecnicismos|florituras|cortesías|halagos|disculpas|"
        r"listas|viñetas|adornos|preámbulos)\b|\btr[aá]t(?:a|e|es|ame)\w* de (?:tú|"
        r"usted)\b|\btutéame\b|\bal grano\b|\bcon (?:ejemplos|palabras sencillas|"
        r"viñetas)\b|\bno te disculpes\b|\bexplícame (?:siempre|hasta)\b"
    ),
    rejection=(
        r"\bno (?:quiero|necesito|me gustan?|soporto|soy fan|hace falta|uses|pongas|"
        r"añadas|metas|hagas|me des|me pongas|vuelvas a)\b|\b(?:es|está) demasiado\b|"
        r"\bdemasiad[oa]s? \w+|\bdeja de\b|\bbasta de\b|\bya basta\b|\bsobra(?:n)?\b|"
        r"\bno más\b|\bno estoy de acuerdo\b|\botra vez (?:un|una|con)\b|\bodio\b|"
        r"\bdetesto\b|\bexagerad[oa]\b"
    ),
    objection=(
        r"^(?:no|mal|incorrecto|espera|en realidad|al revés|así no|para)\b|"
        r"^eso (?:no|es|está)\b|^has (?:puesto|usado|hecho|dejado|escrito|metido)\b"
    ),
    practice=(
        r"\b(?:usa|pon|haz|escribe|utiliza|cita|prueba|va|van|no \w+es|no \w+as|quiero|"
        r"mejor|en vez de|en lugar de|sino|se (?:usa|pone|hace|escribe))\b|`"
    ),
    contrast=(
        r"\ben (?:vez|lugar) de\b|\bsino\b|,\s*no (?!la\b|el\b|\d)\w+|"
        r"\bno \w+(?:es|as) .* a mano\b"
    ),
    order=(
        r"^(?:por favor,? )?(?:no )?(?:usa|pon|haz|escribe|dame|dime|muéstrame|explica|"
        r"explícame|contesta|responde|mándame|envía|utiliza|cita|evita|empieza|añade|"
        r"ponme|resume|enseña|avísame|pregúntame|hazme|recuerda|me lo das|puedes|"
        r"este también|esta también|y este|y esta|mejor)\w*\b"
    ),
    expertise=(
        (
            (
                r"\b(?:soy|es que soy) (?:nuev[oa]|principiante|novat[oa]) (?:en|con) "
                r"(?P<topic>[^.,;!?]+)|\bprincipiante\b|\bnunca he (?:usado|tocado|visto|"
                r"aprendido|programado en|trabajado con) (?P<topic2>[^.,;!?]+)|"
                r"\bestoy (?:aprendiendo|empezando con) (?P<topic3>[^.,;!?]+)|"
                r"\bno (?:sé nada|tengo ni idea|entiendo nada) de (?P<topic4>[^.,;!?]+)|"
                r"\bempiezo con (?P<topic5>[^.,;!?]+)|\bmi primera semana con "
                r"(?P<topic6>[^.,;!?]+)"
            ),
            "is learning",
        ),
        (
            (
                r"\bllevo (?:\w+ )?(?:años|tiempo|\d+ años|una década) (?:\w+ndo) "
                r"(?P<topic>[^.,;!?]+)|\bllevo \w+ años\b|\bsoy (?:quien )?(?:mantengo|"
                r"mantiene|el autor|la autora|especialista|expert[oa])\b(?: de| en)? ?"
                r"(?P<topic2>[^.,;!?]*)|\b(?:mantengo|administro|enseño|doy clases de|"
                r"imparto|desarrollo) (?P<topic3>[^.,;!?]+)|\bmi tesis\b|\bcomo (?:contable|"
                r"estadístic[oa]|ingenier[oa]|médic[oa]|profesora?|editora?|desarrolladora?|"
                r"panader[oa]|jardiner[oa]|fotógraf[oa]|traductora?)\b|\bal dedillo\b|"
                r"\baños de experiencia\b"
            ),
            "is an expert in",
        ),
    ),
    lecture=(
        r"\bporque\b|\bsi no\b|\bpor eso\b|\bsolo (?:si|cuando|dentro)\b|\bno basta\b|"
        r"\bhasta que\b|\bde lo contrario\b|\bno (?:garantiza|sirve|escala|ordena)\b"
    ),
    echo=r"\btambién\b|\botra vez\b|\bde nuevo\b|\bigual\b|\bporfa\b|\bpor favor$",
    traits=(
        (
            r"\bmás cort[oa]s?\b|\bmás breve\b|\bbreve\b|\bresumid[oa]\b|\bacorta\w*\b",
            "User prefers short answers",
        ),
        (r"\b(?:una|sola) (?:sola )?línea\b", "User likes one-line solutions"),
        (r"\b(?:en|como) (?:una )?tabla\b", "User prefers tables for comparisons"),
        (r"^¿?(?:y )?por qué\b", "User often asks why: wants the reasoning"),
        (r"\bejemplos?\b", "User wants an example with an explanation"),
        (r"\basync\b|\basíncron[oa]\b", "User prefers async code"),
        (r"\bviñetas\b|\ben lista\b", "User prefers bullet points"),
        (
            r"\bpalabras sencillas\b|\bsin (?:jerga|tecnicismos)\b",
            "User wants plain words without jargon",
        ),
        (r"\bpaso a paso\b", "User wants steps one by one"),
        (
            r"\bterminal\b|\blínea de comandos\b",
            "User prefers the command line to a GUI",
        ),
        (
            r"\bcuál (?:elegirías|recomiendas|prefieres|usarías)\b",
            "User wants one recommendation",
        ),
        (r"\bsin clases?\b|\bsolo funciones\b", "User prefers functions to classes"),
        (
            r"\bsin comentarios\b|\bquita los comentarios\b",
            "User wants code without extra comments",
        ),
        (r"\ben gramos\b", "User prefers metric units"),
        (r"\bcomo (?:un )?diff\b|\bel diff\b", "User wants changes shown as a diff"),
    ),
)
