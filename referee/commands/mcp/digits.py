"""Cards as people say them: "blue seven", "blå sjua"."""

import re
from functools import cache

# The digits from 0 in words, all that players say for each.
DIGITS = {
    "en": "zero/nought one two three four five six seven eight nine",
    "sv": "noll/nolla ett/etta två/tvåa tre/trea fyra fem/femma sex/sexa sju/sjua åtta nio/nia",
    "da": "nul/nuller en/et/etter to/toer tre/treer fire/firer fem/femmer seks/sekser syv/syver "
    "otte/otter ni/nier",
    "no": "null/nuller en/ett/ener to/toer tre/treer fire/firer fem/femmer seks/sekser "
    "sju/syv/sjuer/syver åtte/åtter ni/nier",
    "fi": "nolla yksi/ykkönen kaksi/kakkonen kolme/kolmonen neljä/nelonen viisi/viitonen "
    "kuusi/kuutonen seitsemän/seiska/seitsemäinen kahdeksan/kasi/kahdeksikko "
    "yhdeksän/ysi/yhdeksikkö",
    "cs": "nula jedna/jednička dva/dvě/dvojka tři/trojka čtyři/čtyřka pět/pětka šest/šestka "
    "sedm/sedmička/sedma osm/osmička/osma devět/devítka",
    "sk": "nula jeden/jedna/jednotka dva/dve/dvojka tri/trojka štyri/štvorka päť/päťka šesť/šestka "
    "sedem/sedmička/sedma osem/osmička deväť/deviatka",
    "pl": "zero jeden/jedynka dwa/dwie/dwójka trzy/trójka cztery/czwórka pięć/piątka "
    "sześć/szóstka siedem/siódemka osiem/ósemka dziewięć/dziewiątka",
    "hu": "nulla/nullás egy/egyes kettő/két/kettes három/hármas négy/négyes öt/ötös hat/hatos "
    "hét/hetes nyolc/nyolcas kilenc/kilences",
    "ru": "ноль/нуль один/одна/единица два/две/двойка три/тройка четыре/четвёрка/четверка "
    "пять/пятёрка/пятерка шесть/шестёрка/шестерка семь/семёрка/семерка восемь/восьмёрка/восьмерка "
    "девять/девятка",
    "de": "null eins/ein/eine zwei drei vier fünf sechs sieben acht neun",
    "fr": "zéro un/une deux trois quatre cinq six sept huit neuf",
    "es": "cero uno/un dos tres cuatro cinco seis siete ocho nueve",
    "it": "zero uno/un due tre quattro cinque sei sette otto nove",
    "nl": "nul een/één twee drie vier vijf zes zeven acht negen",
    "pt": "zero um/uma dois/duas três quatro cinco seis sete oito nove",
}


@cache
def _digits(lang: str) -> dict[str, str]:
    return {
        word: str(digit)
        for digit, words in enumerate(DIGITS[lang].split())
        for word in words.split("/")
    }


def words_of(name: str, lang: str) -> tuple[str, ...]:
    """Return the words of a card's name in any order, digits in figures, without case."""
    # In Danish a 7 is written 7'er; in French, +2 is not a 2.
    words = re.findall(r"\+?[^\W_]+", name.casefold().replace("'er", ""))
    return tuple(sorted(_digits(lang).get(word, word) for word in words))
