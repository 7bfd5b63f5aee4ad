"""Layers that stand on the reranker's lower ones, in torch: what they say, and one step of learning.

A step takes half as long as in JAX where the processor knows numbers of sixteen bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from networks import HEADS
from torch import Tensor
from torch.nn import functional

DROPPED = 0.1
DECAY = 0.01

Tree = Any  # nested dictionaries and lists of arrays or of tensors


def tensors(network: Tree) -> Tree:
    """A network whose weights can be learnt."""
    return _mapped(network, lambda each: torch.tensor(np.asarray(each), requires_grad=True))


def arrays(network: Tree) -> Tree:
    """A network as it is written."""
    return _mapped(network, lambda each: each.detach().numpy())


def _mapped(network: Tree, made: Callable[[Any], Any]) -> Tree:
    if isinstance(network, dict):
        return {name: _mapped(each, made) for name, each in network.items()}
    if isinstance(network, list):
        return [_mapped(each, made) for each in network]
    return made(network)


def weights(network: Tree) -> Iterator[Tensor]:
    """All that is learnt."""
    if isinstance(network, Tensor):
        yield network
    else:
        for each in network.values() if isinstance(network, dict) else network:
            yield from weights(each)


def upper(network: Tree, given: Tensor, mask: Tensor, *, learns: bool, whole: bool = False) -> Tensor:
    """What the layers make of pairs: of their first tokens, or of all."""
    seen = mask[:, None, None, :].bool()
    with torch.autocast("cpu", torch.bfloat16, enabled=learns):
        for number, layer in enumerate(network["layers"], 1):
            # Of the last layer, mostly only the first token is asked for.
            first = number == len(network["layers"]) and not whole
            given = _layer(layer, given, seen, given[:, :1] if first else given, learns=learns)
    return functional.dropout(given.float(), DROPPED, learns)


def _layer(layer: Tree, given: Tensor, seen: Tensor, own: Tensor, *, learns: bool) -> Tensor:
    """One layer of BERT, for its own part of the tokens that are given."""

    def heads(name: str, some: Tensor) -> Tensor:
        made = some @ layer[name] + layer[f"{name}_bias"]
        return made.reshape(len(some), some.shape[1], HEADS, -1).transpose(1, 2)

    query, known, value = heads("query", own), heads("key", given), heads("value", given)
    mixed = functional.scaled_dot_product_attention(
        query, known, value, attn_mask=seen, dropout_p=DROPPED if learns else 0.0
    )
    mixed = mixed.transpose(1, 2).reshape(own.shape) @ layer["mixed"] + layer["mixed_bias"]
    mixed = _norm(layer, "norm", own + functional.dropout(mixed, DROPPED, learns))
    wide = functional.gelu(mixed @ layer["wide"] + layer["wide_bias"])
    narrow = wide @ layer["narrow"] + layer["narrow_bias"]
    return _norm(layer, "last_norm", mixed + functional.dropout(narrow, DROPPED, learns))


def _norm(layer: Tree, name: str, given: Tensor) -> Tensor:
    own = layer[f"{name}_weight"]
    return functional.layer_norm(given, own.shape, own, layer[f"{name}_bias"], 1e-12)


def logits(network: Tree, given: Tensor, mask: Tensor, *, learns: bool = False) -> Tensor:
    """What the network says of pairs, before it becomes probabilities."""
    first = upper(network, given, mask, learns=learns)[:, 0]
    pooled = torch.tanh(first @ network["pool"] + network["pool_bias"])
    return pooled @ network["says"] + network["says_bias"]


class Descent:
    """AdamW down a loss, with numbers of sixteen bits within the layers."""

    def __init__(self, network: Tree) -> None:
        self._weights = [*weights(network)]
        self._steps = torch.optim.AdamW(self._weights, betas=(0.9, 0.98), eps=1e-6, weight_decay=DECAY)

    def step(self, loss: Callable[[], Tensor], rate: float) -> float:
        """Go one step, and say how large the loss was."""
        for group in self._steps.param_groups:
            group["lr"] = rate
        self._steps.zero_grad()
        found = loss()
        found.backward()
        torch.nn.utils.clip_grad_norm_([each for each in self._weights if each.grad is not None], 1.0)
        self._steps.step()
        return float(found.detach())
