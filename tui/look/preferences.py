"""How the user wants the screen: the part of the settings that screens read, and change while they are shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from modex.core.config.settings import GlyphSetting, Settings, load_settings


@dataclass(frozen=True, slots=True)
class Preferences:
    """The user's wishes, each as in `modex.core.config.settings.Settings`; every one has a default that suits SSH."""

    theme: str | None = None
    glyphs: GlyphSetting = "auto"
    refresh_hz: float = 4.0
    mouse: bool = True
    keys: dict[str, str] = field(default_factory=dict)


def load(settings: Settings | None = None) -> Preferences:
    """The preferences among the settings, by default those of the file and the variables.

    Raises:
        ConfigurationError: a setting is wrong; says where and what it must be.
    """
    settings = settings or load_settings()
    return Preferences(
        theme=settings.theme,
        glyphs=settings.glyphs,
        refresh_hz=settings.refresh_hz,
        mouse=settings.mouse,
        keys=settings.keys,
    )
