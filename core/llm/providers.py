"""What is known of providers by their litellm prefix: who speaks plain OpenAI, where, and which variable holds the key."""

from __future__ import annotations

from dataclasses import dataclass

DEMO = "demo"
"""Prefix, and name, of the scripted model."""
RESPONSES = "responses/"
"""Begins the name of an OpenAI model that is to be asked by the Responses API: `openai/responses/o4-mini`."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider that takes plain OpenAI chat completions, so that the direct path can ask it."""

    base: str | None
    """Where it usually is; None: only where the user says."""
    base_variables: tuple[str, ...]
    key_variables: tuple[str, ...]
    appends_v1: bool = False
    """Whether its address is usually given without `/v1`."""


DIRECT: dict[str, Endpoint] = {
    "openai": Endpoint("https://api.openai.com/v1", ("OPENAI_BASE_URL", "OPENAI_API_BASE"), ("OPENAI_API_KEY",)),
    "hosted_vllm": Endpoint(None, ("HOSTED_VLLM_API_BASE",), ("HOSTED_VLLM_API_KEY",)),
    "lm_studio": Endpoint("http://127.0.0.1:1234/v1", ("LM_STUDIO_API_BASE",), ("LM_STUDIO_API_KEY",)),
    "llamafile": Endpoint("http://127.0.0.1:8080/v1", ("LLAMAFILE_API_BASE",), ("LLAMAFILE_API_KEY",)),
    "ollama": Endpoint("http://127.0.0.1:11434/v1", ("OLLAMA_API_BASE",), ("OLLAMA_API_KEY",), appends_v1=True),
    "ollama_chat": Endpoint("http://127.0.0.1:11434/v1", ("OLLAMA_API_BASE",), ("OLLAMA_API_KEY",), appends_v1=True),
    "openai_like": Endpoint(None, ("OPENAI_LIKE_API_BASE",), ("OPENAI_LIKE_API_KEY",)),
    "custom_openai": Endpoint(None, ("OPENAI_LIKE_API_BASE",), ("OPENAI_LIKE_API_KEY",)),
    "groq": Endpoint("https://api.groq.com/openai/v1", ("GROQ_API_BASE",), ("GROQ_API_KEY",)),
    "litellm_proxy": Endpoint(None, ("LITELLM_PROXY_API_BASE",), ("LITELLM_PROXY_API_KEY",)),
}

KEY_VARIABLES: dict[str, tuple[str, ...]] = {
    "ai21": ("AI21_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "azure": ("AZURE_API_KEY",),
    "azure_ai": ("AZURE_AI_API_KEY",),
    "baseten": ("BASETEN_API_KEY",),
    "cerebras": ("CEREBRAS_API_KEY",),
    "cloudflare": ("CLOUDFLARE_API_KEY",),
    "codestral": ("CODESTRAL_API_KEY",),
    "cohere": ("COHERE_API_KEY",),
    "cohere_chat": ("COHERE_API_KEY",),
    "dashscope": ("DASHSCOPE_API_KEY",),
    "databricks": ("DATABRICKS_API_KEY",),
    "deepinfra": ("DEEPINFRA_API_KEY",),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "featherless_ai": ("FEATHERLESS_AI_API_KEY",),
    "fireworks_ai": ("FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY", "FIREWORKSAI_API_KEY"),
    "friendliai": ("FRIENDLIAI_API_KEY", "FRIENDLI_TOKEN"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "github": ("GITHUB_API_KEY",),
    "huggingface": ("HUGGINGFACE_API_KEY", "HF_TOKEN"),
    "hyperbolic": ("HYPERBOLIC_API_KEY",),
    "lambda_ai": ("LAMBDA_API_KEY",),
    "meta_llama": ("LLAMA_API_KEY",),
    "minimax": ("MINIMAX_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "moonshot": ("MOONSHOT_API_KEY",),
    "nebius": ("NEBIUS_API_KEY",),
    "novita": ("NOVITA_API_KEY",),
    "nscale": ("NSCALE_API_KEY",),
    "nvidia_nim": ("NVIDIA_NIM_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY", "OR_API_KEY"),
    "perplexity": ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"),
    "replicate": ("REPLICATE_API_KEY", "REPLICATE_API_TOKEN"),
    "sambanova": ("SAMBANOVA_API_KEY",),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"),
    "vercel_ai_gateway": ("VERCEL_AI_GATEWAY_API_KEY",),
    "volcengine": ("VOLCENGINE_API_KEY",),
    "watsonx": ("WATSONX_API_KEY", "WATSONX_APIKEY"),
    "xai": ("XAI_API_KEY",),
    "zai": ("ZAI_API_KEY",),
}
"""The variables any one of which holds a provider's key, the usual one first; a provider not here has its own ways."""

_TEXT_PREFIXES = """
    a2a ai21 ai21_chat aiml aiohttp_openai amazon_nova anthropic anthropic_text apertis auto_router azure azure_ai
    azure_text baseten bedrock bedrock_mantle bytez cerebras charity_engine chatgpt chutes clarifai cloudflare codestral
    cognition cohere cohere_chat cometapi compactifai cortecs custom dashscope databricks datarobot deepinfra deepseek
    docker_model_runner dotprompt edenai empower featherless_ai fireworks_ai friendliai galadriel gdc gemini gigachat
    github github_copilot gradient_ai groq helicone heroku huggingface hyperbolic inception lambda_ai langflow langgraph
    lemonade libertai litellm_agent maritalk meta_llama minimax mistral modelscope moonshot morph nano-gpt nebius
    neosantara nlp_cloud novita nscale nvidia_nim nvidia_riva oci oobabooga openrouter ovhcloud parasail perplexity
    petals poe predibase publicai qwen_ai_platform qwencloud ragflow replicate sagemaker sagemaker_chat sagemaker_nova
    sambanova sap scaleway snowflake synthetic tencent tensormesh text-completion-codestral text-completion-inception
    text-completion-openai together_ai triton v0 vercel_ai_gateway vertex_ai vertex_ai_beta vllm volcengine wandb watsonx
    watsonx_text xai xiaomi_mimo xinference zai
"""
PREFIXES: frozenset[str] = frozenset(_TEXT_PREFIXES.split()) | frozenset(DIRECT)
"""The prefixes that litellm reads as a provider of text; any other `a/b` is a model's own name."""


def split_provider(model: str) -> tuple[str | None, str]:
    """Split `provider/name`; the provider is None where the prefix is none (`meta-llama/Llama-3`, `gpt-4o`)."""
    prefix, slash, name = model.partition("/")
    return (prefix, name) if slash and name and prefix in PREFIXES else (None, model)


def is_demo(model: str) -> bool:
    """Whether `model` is the scripted model or one of its variants."""
    return model == DEMO or model.startswith(f"{DEMO}/")
