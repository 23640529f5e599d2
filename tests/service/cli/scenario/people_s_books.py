"""Workbooks as people make them: titles, sections, remarks, counts, in their own languages."""

from __future__ import annotations

from pathlib import Path

import openpyxl
from openpyxl.styles import Font, PatternFill

__all__ = ["french", "german"]

FRENCH = ["Unité", "Camp", "Type d'unité", "Pas", "Hexagone", "Tour", "Entrée", "Remarques"]
FRENCH += ["Mouvement", "Chef"]
GERMAN = ["Einheit", "Partei", "Typ", "Anzahl", "Stellung", "", "Runde", "Eintritt", "Bereich"]
GERMAN += ["Bemerkung"]


def french(path: Path) -> Path:
    """An order of battle of Kharkov, with French titles."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Ordre de bataille"
    rows = [
        ["Kharkov 1942, mon scénario"],
        ["Jeu", "kharkov"],
        ["Carte :", "kharkov"],
        ["Tours", 3],
        ["Basé sur", "training"],
        [],
        [
            "Unité",
            "Camp",
            "Type d'unité",
            "Pas",
            "Hexagone",
            "Tour",
            "Entrée",
            "Remarques",
            "Mouvement",
            "Chef",
        ],
        ["Armée rouge"],
        [None, None, "3 x Rifle Division", None, 313, None, None, "sans nom", 6, "inconnu"],
        ["cav-1", "soviétique", "Cavalry", None, "0712", None, None, None, 9],
        ["QG-28", "Soviet", "HQ", None, "0611", None, None, "28e armée", 10],
        [],
        ["Axe"],
        ["inf-79", "Allemands", "Infantry Division", "4,0", "0315", None, None, "division"],
        ["INF-294", "Axe", "infantry", 4, "0414"],
        ["pz-1", "Axe", "Panzer", 2, None, "Tour 2", "South Edge"],
        ["Total", None, None, 14],
    ]
    for row in rows:
        page.append([value or None for value in row])
    page.merge_cells("A1:H1")
    page.merge_cells("A8:H8")
    page["E9"].number_format = "0000"
    page["E14"].fill = PatternFill("solid", fgColor="FFFF0000")
    for cell in page[7]:
        cell.font = Font(bold=True)
    book.create_sheet("Notes").append(["Ce scénario est inventé."])
    book.save(path)
    return path


def german(path: Path) -> Path:
    """An order of battle of Conflict of Heroes, with German titles in two rows, and an area."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Aufstellung"
    rows = [
        ["Die Mühle an der Straße"],
        ["Spiel:", "conflict_of_heroes"],
        ["Karte:", 1],
        ["Runden:", 5],
        ["Basiert auf", "first_steps"],
        [
            "Einheit",
            "Partei",
            "Typ",
            "Anzahl",
            "Stellung",
            "",
            "Runde",
            "Eintritt",
            "Bereich",
            "Bemerkung",
        ],
        [None, None, None, None, "Feld", "Blickrichtung"],
        ["Deutsche"],
        ["g", "Deutsch", "Rifles 41", 2, "1-e13", 5, None, None, None, "zwei Gruppen"],
        ["mg", None, "HMG 34", None, "1-E12", 5],
        ["reserve", "deutsch", "Rifles 41", None, None, 5, None, None, "Startlinie"],
        ["Sowjets"],
        ["s1", "Sowjet", "Rifles 41", None, "1E09", 1],
        ["s2", None, "Maxim MMG", None, "1-D8", 1],
        ["lkw", "Sowjet", "GAZ truck", None, None, None, "Runde 3", "1-E01"],
    ]
    for row in rows:
        page.append([value or None for value in row])
    page.merge_cells("E6:F6")
    areas = book.create_sheet("Gebiete")
    areas.append(["Bereich", "Titel", "Felder"])
    areas.append(["Startlinie", "Deutsche Startlinie", "1-E12, 1-E13, 1-F12; 1-F13"])
    book.save(path)
    return path
