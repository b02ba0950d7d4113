"""What turns text into vectors: the protocol, and an adapter for each library."""

from __future__ import annotations

from ethos_memory.providers.embedders.model2vec import Model2VecEmbedder
from ethos_memory.providers.embedders.named import load_embedder
from ethos_memory.providers.embedders.protocol import Embedder
from ethos_memory.providers.embedders.sentence_transformers import (
    SentenceTransformersEmbedder,
)

__all__ = [
    "Embedder",
    "Model2VecEmbedder",
    "SentenceTransformersEmbedder",
    "load_embedder",
]
