"""Layers of BERT and a step of training in JAX, for networks that stand on layers which stay as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from networks import HEADS, WIDTH, Tree

DROPPED = 0.1


def _norm(layer: Tree, name: str, given: Any) -> Any:
    middle = given.mean(-1, keepdims=True)
    spread = jnp.sqrt(((given - middle) ** 2).mean(-1, keepdims=True) + 1e-12)
    return (given - middle) / spread * layer[f"{name}_weight"] + layer[f"{name}_bias"]


def dropped(key: Any, given: Any) -> Any:
    """Numbers of which some are left out, if a key is given."""
    if key is None:
        return given
    return jnp.where(jax.random.bernoulli(key, 1 - DROPPED, given.shape), given / (1 - DROPPED), 0)


def layer_of(layer: Tree, given: Any, mask: Any, key: Any, own: Any) -> Any:
    """One layer of BERT, for its own part of the tokens that are given."""
    keys = [None] * 3 if key is None else jax.random.split(key, 3)
    query, known, value = (
        (each @ layer[name] + layer[f"{name}_bias"])
        .reshape(each.shape[0], each.shape[1], HEADS, -1)
        .transpose(0, 2, 1, 3)
        for name, each in (("query", own), ("key", given), ("value", given))
    )
    heed = query @ known.transpose(0, 1, 3, 2) / np.sqrt(WIDTH / HEADS)
    heed = dropped(keys[0], jax.nn.softmax(heed + (1 - mask)[:, None, None, :] * -1e9, -1))
    mixed = (heed @ value).transpose(0, 2, 1, 3).reshape(own.shape)
    mixed = _norm(layer, "norm", own + dropped(keys[1], mixed @ layer["mixed"] + layer["mixed_bias"]))
    wide = jax.nn.gelu(mixed @ layer["wide"] + layer["wide_bias"], approximate=False)
    narrow = wide @ layer["narrow"] + layer["narrow_bias"]
    return _norm(layer, "last_norm", mixed + dropped(keys[2], narrow))


def upper(network: Tree, given: Any, mask: Any, keys: Any, *, whole: bool = False) -> Any:
    """What the trained layers make of pairs: of their first tokens, or of all."""
    for number, (layer, drawn) in enumerate(zip(network["layers"], keys, strict=False), 1):
        # Of the last layer, mostly only the first token is asked for.
        first = number == len(network["layers"]) and not whole
        given = layer_of(layer, given, mask, drawn, given[:, :1] if first else given)
    return dropped(keys[-1], given)


def logits(network: Tree, given: Any, mask: Any, key: Any = None) -> Any:
    """What the network says of pairs, for all tasks, before it becomes probabilities."""
    first = upper(network, given, mask, drawn_keys(network, key))[:, 0]
    return jnp.tanh(first @ network["pool"] + network["pool_bias"]) @ network["says"] + network["says_bias"]


def drawn_keys(network: Tree, key: Any) -> Any:
    """By which each layer, and what it hands on, leaves numbers out."""
    count = len(network["layers"]) + 1
    return [None] * count if key is None else jax.random.split(key, count)


def descent(loss: Callable[..., Any]) -> Callable[..., tuple[Tree, Tree, Any]]:
    """One step of AdamW down a loss."""

    def step(
        network: Tree, moments: Tree, batch: Tree, key: Any, rate: Any, number: Any
    ) -> tuple[Any, Any, Any]:
        found, slope = jax.value_and_grad(loss)(network, *batch, key)
        size = jnp.sqrt(sum((each**2).sum() for each in jax.tree.leaves(slope)))
        slope = jax.tree.map(lambda each: each * jnp.minimum(1, 1 / size), slope)
        mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, moments[0], slope)
        square = jax.tree.map(lambda old, new: 0.98 * old + 0.02 * new * new, moments[1], slope)

        def moved(weight: Any, first: Any, second: Any) -> Any:
            first, second = first / (1 - 0.9**number), second / (1 - 0.98**number)
            return weight - rate * (first / (jnp.sqrt(second) + 1e-6) + 0.01 * weight)

        return jax.tree.map(moved, network, mean, square), (mean, square), found

    made: Callable[..., tuple[Tree, Tree, Any]] = jax.jit(step)
    return made
