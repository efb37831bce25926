"""The paper's LLM scheduler: a language model plans a problem, and its plan is compared with the proven one."""
