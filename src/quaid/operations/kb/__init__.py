"""A knowledge base in git: the commands of `ai-kb` and `quaid kb`, some of which are tools for programs too.

A person names a knowledge base by its directory; a program by its collection and never by a path. What a
person must decide (merge, delete, resolve and the like) is no tool.
"""
