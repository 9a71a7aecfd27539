"""Why a model stopped writing, in every provider's spelling."""

from __future__ import annotations

from typing import Literal

Ending = Literal["stop", "length", "tool_calls", "filter", "context", "failed"]

_SPELLINGS: dict[Ending, str] = {
    "stop": "stop end_turn stop_sequence eos eos_token complete completed",
    "length": "length max_tokens max_output_tokens max_length compaction",
    "tool_calls": "tool_calls tool_use tool_call function_call",
    # OpenAI, Azure · Anthropic · Gemini · Cohere, Bedrock, Zhipu
    "filter": "content_filter content_filtered refusal safety recitation blocklist prohibited_content spii language"
    " image_safety image_prohibited_content image_recitation model_armor escalation error_toxic guardrail_intervened sensitive",
    # Anthropic · Mistral
    "context": "model_context_window_exceeded model_length context_length_exceeded",
    # OpenRouter · Gemini · DeepSeek, Zhipu, SGLang
    "failed": "error malformed_function_call malformed_response unexpected_tool_call too_many_tool_calls"
    " missing_thought_signature other image_other no_image insufficient_system_resource network_error abort",
}
_ENDINGS: dict[str, Ending] = {name: ending for ending, names in _SPELLINGS.items() for name in names.split()}


def ending_of(finish_reason: str) -> Ending | None:
    """What a `finish_reason` means; None where no provider is known to say so."""
    return _ENDINGS.get(finish_reason.strip().lower())
