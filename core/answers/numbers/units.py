"""Units of measure: which spellings name the same unit. Prefixes keep their case: mW is not MW, ms is not Ms.

Convertible units (kg and g) are different ones. A spelling may mean several units (`C`: coulomb, degree Celsius; `$`: any
dollar); two spellings are the same unit where they share a meaning.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

_ANY_DEGREE = "degree °C °F"
_DOLLARS = "usd aud cad nzd sgd hkd mxn ars clp cop brl"
_SPELLINGS: dict[str, str] = {
    "usd": "us$ usd buck bucks",
    "aud": "a$ au$ aud",
    "cad": "c$ ca$ cad",
    "mxn": "mx$ mxn peso pesos",
    "php": "₱ php peso pesos",
    "brl": "r$ brl real reais",
    "eur": "€ eur euro euros ユーロ 欧元 यूरो يورو",
    "gbp": "£ gbp pound pounds pound_sterling pounds_sterling quid libra libras ポンド 英镑 पाउंड",
    "jpy": "¥ jpy yen 円 日元 日圆",
    "cny": "¥ cny rmb yuan 元 人民币 块 块钱",
    "inr": "₹ inr rs rupee rupees रुपये रुपए रुपया रु روبية",
    "idr": "rp idr rupiah",
    "rub": "₽ rub ruble rubles рублей рубля руб",
    "krw": "₩ krw won 원",
    "chf": "chf fr franken francs franc",
    "cent": "¢ cent cents sen",
    "%": "% percent percentage per_cent pct prozent persen pourcent por_ciento porcentaje procent percento per_cento por_cento "
          "パーセント प्रतिशत फ़ीसदी फीसदी بالمئة بالمائة في_المئة في_المائة",
    "kg": "kilo kilos 公斤 千克 quilo quilos キロ キログラム किलो किलोग्राम كيلو كيلوغرام كيلوجرام كغ كجم",
    "g": "克 グラム ग्राम غرام جرام غم",
    "mg": "毫克 ミリグラム मिलीग्राम मिग्रा ملغ ملغم مليغرام",
    "µg": "微克 マイクログラム माइक्रोग्राम ميكروغرام",
    "L": "升 公升 リットル लीटर لتر",
    "mL": "毫升 ミリリットル मिलीलीटर मिली مل ملليلتر ميليلتر",
    "m": "米 公尺 メートル मीटर متر مترا أمتار",
    "mm": "毫米 ミリ ミリメートル मिलीमीटर ملم مليمتر",
    "cm": "厘米 公分 センチ センチメートル सेंटीमीटर سم سنتيمتر",
    "km": "公里 千米 キロ キロメートル किलोमीटर كم كيلومتر",
    "t": "ton tons tonne tonnes tonnen tonelada toneladas metric_ton metric_tons",
    "lb": "lb lbs pound pounds pfund",
    "oz": "oz ounce ounces",
    "mi": "mi mile miles mil",
    "ft": "ft foot feet",
    "in": "in inch inches zoll",
    "yd": "yd yard yards",
    "acre": "ac acre acres",
    "ha": "ha hectare hectares hektar",
    "gal": "gal gallon gallons",
    "pt": "pt pint pints",
    "h^-1·mi": "mph",
    "h^-1·km": "kmh kph km/h",
    "rpm": "rpm",
    "dB": "db decibel decibels",
    "ppm": "ppm",
    "mmHg": "mmhg mm_hg",
    "cm^3": "cc ccm",
    "m^2": "sqm qm",
    "ft^2": "sqft",
    "s": "sec secs sek detik 秒 с сек 秒钟 秒間 सेकंड ثانية ثوان",
    "min": "min mins minute minutes minuten menit minuto minutos minuti 分 分钟 мин 分鐘 分間 मिनट دقيقة دقائق",
    "h": "h hr hrs hour hours stunde stunden std jam hora horas heure heures ora ore uur 時間 小时 ч час часа часов 小時 "
          "鐘頭 钟头 घंटा घंटे ساعة ساعات",
    "day": "d day days tag tage tagen hari dia dias jour jours giorno giorni dag dagen 日 天 день дня дней 日間 "
          "दिन يوم يوما أيام",
    "week": "week weeks wk wks woche wochen minggu semana semanas semaine semaines settimana settimane 周 週間 星期 हफ़्ते "
          "हफ्ते सप्ताह أسبوع أسابيع",
    "month": "month months monat monate monaten bulan mes meses mois mese mesi 个月 個月 か月 ヶ月 カ月 महीना महीने شهر أشهر",
    "year": "y yr yrs year years jahr jahre jahren tahun ano anos an ans annee annees anno anni 年 лет год года "
          "साल वर्ष سنة سنوات عاما",
    "degree": "° 度 deg degs degree degrees grad derajat grado grados degre degres gradi º",
    "°C": "°c 度 摄氏度 摂氏度 graus_celsius grau_celsius graus_centigrados डिग्री_सेल्सियस सेल्सियस درجة_مئوية درجات_مئوية "
          "celsius centigrade deg_c degc oc degree_celsius degrees_celsius degree_c degrees_c degrees_centigrade "
          "grad_celsius "
          "derajat_celsius grado_celsius grados_celsius grados_centigrados degres_celsius degre_celsius gradi_celsius c",
    "°F": "°f 度 华氏度 華氏度 graus_fahrenheit fahrenheit deg_f degf degree_fahrenheit degrees_fahrenheit degree_f "
          "degrees_f grad_fahrenheit "
          "derajat_fahrenheit grados_fahrenheit degres_fahrenheit f",
    "K": "kelvin kelvins grad_kelvin degrees_kelvin",
    "unit": "unit units u einheit einheiten satuan unidad unidades unite unites unidade unidades 个 個 件 枚 इकाई وحدة وحدات",
    "dozen": "dozen dozens lusin dutzend docena docenas douzaine douzaines",
    "rad": "rad radian radians radianes",
    "light_year": "light_year light_years lightyear lightyears ly",
    "person": "person persons people orang personas personnes personen 人 名 pessoa pessoas लोग व्यक्ति شخص أشخاص",
}  # fmt: skip
_PREFIXES = {
    "Y": "yotta", "Z": "zetta", "E": "exa", "P": "peta", "T": "tera", "G": "giga", "M": "mega", "k": "kilo quilo",
    "h": "hecto hekto hekto", "d": "deci dezi desi", "c": "centi zenti senti", "m": "milli mili", "µ": "micro mikro",
    "n": "nano", "p": "pico piko", "f": "femto", "a": "atto",
}  # fmt: skip
_PREFIXED = {
    "m": "meter metre metro metri mètre", "g": "gram gramm gramme gramo grammo grama gr",
    "s": "second sekunde segundo seconde secondo",
    "L": "liter litre litro", "W": "watt", "V": "volt", "A": "ampere amp amper ampère", "Hz": "hertz", "N": "newton",
    "Pa": "pascal",
    "J": "joule julio", "C": "coulomb", "F": "farad", "Ω": "ohm", "H": "henry", "T": "tesla", "mol": "mole mol", "cd": "candela",
    "eV": "electronvolt electron_volt", "Wh": "watt_hour watthour wattstunde", "cal": "calorie caloria kalorie kalori",
    "bar": "bar",
    "B": "byte", "bit": "bit", "Bq": "becquerel", "Sv": "sievert", "Gy": "gray", "lx": "lux", "lm": "lumen", "Wb": "weber",
    "K": "kelvin", "Ah": "ampere_hour amp_hour", "pc": "parsec", "t": "",
}  # fmt: skip
_ALSO = {"l": "L", "ml": "mL", "cl": "cL", "dl": "dL", "hl": "hL", "µl": "µL", "kB": "kB", "KB": "kB", "Kb": "kbit", "kb": "kbit",
         "Mb": "Mbit", "Gb": "Gbit", "Tb": "Tbit", "b": "bit", "sec": "s", "gr": "g", "kat": "kat", "Cal": "kcal",
         "M": "L^-1·mol", "KG": "kg", "Kg": "kg", "KM": "km", "Km": "km", "CM": "cm", "MM": "mm", "Kmh": "h^-1·km",
         "Nm": "N·m", "℃": "°C", "℉": "°F", "㎏": "kg", "㎝": "cm", "㎜": "mm", "㎞": "km", "㎡": "m^2", "u": "unit"}  # fmt: skip


def _symbols() -> dict[str, frozenset[str]]:
    """Every exact-case symbol with what it means."""
    found: dict[str, set[str]] = {symbol: {meaning} for symbol, meaning in _ALSO.items()}
    for base in _PREFIXED:
        found.setdefault(base, set()).add(base)
        for prefix in _PREFIXES:
            if base == "t" and prefix not in "kMG":
                continue
            if base in ("bar", "pc", "B", "bit", "cal", "Wh", "Ah") and prefix in "dcnpfahYZ":
                continue
            found.setdefault(prefix + base, set()).add(prefix + base)
            if prefix == "µ":
                found.setdefault("u" + base, set()).add(prefix + base)
    for meaning, spellings in (("°C", "C"), ("°F", "F"), ("K", "K")):
        found.setdefault(spellings, set()).add(meaning)
    for meaning, spellings in _SPELLINGS.items():
        for spelling in spellings.split():
            if len(spelling) > 1 or not spelling.isascii() or spelling in "dhy%":
                found.setdefault(spelling, set()).add(meaning)
    found["$"] = set(_DOLLARS.split())
    return {symbol: frozenset(meanings) for symbol, meanings in found.items()}


def _words() -> dict[str, frozenset[str]]:
    """Every spelling in words, folded, with what it means."""
    found: dict[str, set[str]] = {}
    for meaning, spellings in _SPELLINGS.items():
        for spelling in spellings.split():
            if len(spelling) > 1 or not spelling.isalpha():
                found.setdefault(_folded(spelling), set()).add(meaning)
    for symbol, names in _PREFIXED.items():
        for name in map(_folded, names.split()):
            spelled = {name, name + "s", name + "n", name + "es"}
            for each in spelled:
                found.setdefault(each, set()).add(symbol)
                for prefix, texts in _PREFIXES.items():
                    for text in texts.split():
                        found.setdefault(text + each, set()).add(prefix + symbol)
    for spelling in (
        "degree",
        "degrees",
        "°",
        "grad",
        "derajat",
        "grados",
        "degres",
        "deg",
        "gradi",
        "grau",
        "graus",
        "डिग्री",
        "درجة",
        "درجات",
    ):
        found[_folded(spelling)] = set(_ANY_DEGREE.split())
    for spelling in ("dollar", "dollars", "dolar", "dolares"):
        found[spelling] = set(_DOLLARS.split())
    return {word: frozenset(meanings) for word, meanings in found.items()}


def _folded(text: str) -> str:
    """Any case, without accents."""
    split = unicodedata.normalize("NFD", text.casefold())
    return "".join(char for char in split if unicodedata.category(char) != "Mn")


class _Tables(NamedTuple):
    symbols: dict[str, frozenset[str]]
    words: dict[str, frozenset[str]]
    by_fold: dict[str, set[str]]
    """Symbols in any case."""


@cache
def _tables() -> _Tables:
    """Made when the first unit is met: most tests have none, and it takes 15 ms."""
    symbols = _symbols()
    by_fold: dict[str, set[str]] = {}
    for symbol, found in symbols.items():
        by_fold.setdefault(_folded(symbol), set()).update(found)
    return _Tables(symbols, _words(), by_fold)


CURRENCY_PREFIXES = (
    "US$", "MX$", "AU$", "CA$", "NZ$", "HK$", "R$", "A$", "C$", "S$", "$", "€", "£", "¥", "₹", "₽", "₩", "₿", "₫", "฿", "₪", "₦",
    "₱", "Rp", "Rs", "Kč", "kr", "Fr.", "Fr ", "S/",
)  # fmt: skip
"""What may stand before an amount; upper-case three-letter codes (`EUR`, `IDR`) may too."""

_SQUARE = r"square|sq\.?|quadrat|cuadrad[oa]s?|persegi|carre[es]*|quadrat[io]|quadrad[oa]s?|squared"
_CUBIC = r"cubic|cu\.?|kubik|cubic[oa]s?|cube[s]?|cub[io]|cubed"
_PER = re.compile(r"/|(?<!\w)(?:per|pro|por|par|a|each|tiap)(?!\w)", re.IGNORECASE)
_OF = re.compile(r"\s(?:of|de|von|dari|du|des|di|an)\s.*$", re.IGNORECASE)
_POWER = re.compile(r"(?:\^|\*\*)\{?([+-]?\d)\}?$|(?<=[a-zA-ZµΩ])([23])$")
_SUPER = str.maketrans("²³⁻¹⁴", "23-14")


@lru_cache(maxsize=4096)
def meanings(unit: str) -> frozenset[str]:
    """What a spelling may mean, each as base symbols with powers (`km·h^-1`); one nobody knows means itself, folded."""
    text = _tidied(unit)
    whole = _simple(text)
    if whole:
        return whole
    if re.search(r"[\s/·*^⋅.²³⁻]|\d$", text) or re.match(rf"(?:{_SQUARE}|{_CUBIC})", _folded(text)):
        made = _compound(text)
        if made:
            return made
    return frozenset([_unknown(text)])


def known_unit(unit: str) -> bool:
    """Whether every part of the spelling is a unit of the tables."""
    found = meanings(unit)
    return not any("?" in meaning for meaning in found)


def same_unit(one: str, other: str) -> bool:
    """Whether two spellings name the same unit. Convertible units (kg and g) are different ones."""
    return bool(meanings(one) & meanings(other))


def _tidied(unit: str) -> str:
    text = (
        unicodedata.normalize("NFC", unit)
        .replace("μ", "µ")
        .replace("\u2126", "Ω")
        .replace("º", "°")
        .strip()
        .strip(".,;")
        .strip()
    )
    text = re.sub(r"°\s+", "°", text)
    return " ".join(_OF.sub("", text).split()) or unit.strip()


def _simple(text: str) -> frozenset[str]:
    """One unit: its symbol in the right case, else its name in any, else a symbol whose case leaves no doubt."""
    if text in _tables().symbols:
        return _tables().symbols[text] | (
            _tables().words.get(_folded(text), frozenset()) if len(text) > 2 else frozenset()
        )
    folded = re.sub(r"[\s-]+", "_", _folded(text))
    if folded in _tables().words:
        return _tables().words[folded]
    alike = _tables().by_fold.get(folded, set())
    if len(alike) == 1:
        return frozenset(alike)
    if len(folded) > 2 and folded.endswith("s") and folded == text and folded[:-1] in _tables().symbols:
        return _tables().symbols[folded[:-1]]
    return frozenset()


def _compound(text: str) -> frozenset[str]:
    """`m/s^2`, `metres per second squared`, `kg·m²`, `metros cuadrados`: the product of its parts with their powers."""
    text = re.sub(r"[²³⁻¹⁴]+", lambda m: "^" + m[0].translate(_SUPER), text)
    sides = _PER.split(text)
    total: list[dict[str, int]] = [{}]
    for index, side in enumerate(sides):
        power = 0
        tokens = re.findall(r"[^\s·*⋅()^.]+(?:\^\{?[+-]?\d\}?)?", side)
        if not tokens:
            return frozenset()
        parts: list[tuple[str, int]] = []
        for token in tokens:
            plain = _folded(token)
            if re.fullmatch(_SQUARE, plain) or re.fullmatch(_CUBIC, plain):
                degree = 2 if re.fullmatch(_SQUARE, plain) else 3
                if parts:
                    parts[-1] = (parts[-1][0], degree)
                else:
                    power = degree
                continue
            glued = re.match(r"(quadrat|kubik)(?=.)", plain)
            base = token[len(glued[1]) :] if glued else token
            match = _POWER.search(base)
            degree = (
                int(match[1] or match[2]) if match else (2 if glued and glued[1] == "quadrat" else 3 if glued else 1)
            )
            parts.append((base[: match.start()] if match else base, power or degree))
            power = 0
        for name, degree in parts:
            options = _simple(name) or frozenset([_unknown(name)])
            signed = degree if index == 0 else -degree
            total = [_multiplied(made, option, signed) for made in total for option in sorted(options)][:16]
    return frozenset(_shown(made) for made in total)


def _multiplied(made: dict[str, int], option: str, power: int) -> dict[str, int]:
    found = dict(made)
    for part in option.split("·"):
        base, _, exponent = part.partition("^")
        found[base] = found.get(base, 0) + power * int(exponent or 1)
    return found


def _shown(made: dict[str, int]) -> str:
    return "·".join(sorted(base if power == 1 else f"{base}^{power}" for base, power in made.items() if power))


def _unknown(text: str) -> str:
    """A word nobody knows, marked as such: folded, without a plural s."""
    folded = re.sub(r"[\s_-]+", "_", _folded(text))
    if len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss"):
        folded = folded[:-1]
    if re.fullmatch(r"[a-z]{1,2}", folded):
        folded = text.strip()
    return "?" + folded
