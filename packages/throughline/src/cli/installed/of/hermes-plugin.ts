/** The plugin as Hermes loads it: Python, with the standard library alone. */
export function hermesPlugin(command: readonly string[]): string {
  return `"""Throughline as Hermes' context engine. Written by "throughline install hermes".

One child answers for all sessions: JSON lines go in and come out. Where it does not answer, it is
started again; where it fails three times in a row, Hermes' own compressor goes on.
"""

import json
import logging
import subprocess
import threading

from agent.context_engine import ContextEngine

COMMAND = ${JSON.stringify(command)}
MOST_FAILURES = 3
PATIENCE = 120

log = logging.getLogger("throughline")


class ChildError(Exception):
    """The child did not answer, or said that it could not."""


class Child:
    """A long-lived process of Throughline. Calls may come from any thread."""

    def __init__(self, command):
        self._command = command
        self._lock = threading.Lock()
        self._process = None
        self._waiting = {}
        self._count = 0
        self.failures = 0
        self.patience = PATIENCE

    def ask(self, method, params):
        try:
            answer = self._ask(method, params)
        except (OSError, ValueError) as error:
            self._end(self._process)
            answer = {"failed": str(error)}
        if "error" not in answer and not isinstance(answer.get("result"), dict):
            self.failures += 1
            raise ChildError(answer.get("failed", "its answer has no result"))
        self.failures = 0
        if "error" in answer:
            raise ChildError(answer["error"])
        return answer["result"]

    def _ask(self, method, params):
        asked = {"event": threading.Event()}
        with self._lock:
            process = self._running()
            self._count += 1
            name = self._count
            self._waiting[name] = (process, asked)
            line = json.dumps({"id": name, "method": method, "params": params})
            # A child that hangs does not read either: a long line would wait for it forever.
            timer = threading.Timer(self.patience, self._end, [process])
            timer.start()
            try:
                process.stdin.write(line + "\\n")
                process.stdin.flush()
            finally:
                timer.cancel()
        if not asked["event"].wait(self.patience):
            self._end(process)
            asked["answer"] = {"failed": "it did not answer in %s seconds" % self.patience}
        with self._lock:
            self._waiting.pop(name, None)
        return asked["answer"]

    def _running(self):
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
            reader.start()
        return self._process

    def _read(self, process):
        for line in process.stdout:
            try:
                answer = json.loads(line)
                if not self._give(process, answer["id"], answer):
                    raise ValueError("nothing was asked by that id")
            except (ValueError, TypeError, KeyError):
                log.warning("the child wrote a line that is no answer")
                self._end(process)
        # It says no more, even if it has not quite ended: the next question needs another one.
        self._end(process)
        process.wait()
        with self._lock:
            left = [name for name, (own, _) in self._waiting.items() if own is process]
        for name in left:
            self._give(process, name, {"failed": "it has ended"})

    def _give(self, process, name, answer):
        with self._lock:
            own, asked = self._waiting.get(name, (None, None))
        if own is process:
            asked["answer"] = answer
            asked["event"].set()
        return own is process

    def _end(self, process):
        if process is not None and process.poll() is None:
            process.kill()


class ThroughlineEngine(ContextEngine):
    """Compacts without a model, keeps everything, and lets the agent read it back."""

    def __init__(self, command=None, context_length=0, child=None):
        self._child = child or Child(command or COMMAND)
        self._session = "hermes"
        self._model = {}
        self._own = None
        self._tools = None
        self._rough = 0
        self._rough_then = 0
        self.context_length = context_length
        self.threshold_tokens = int(context_length * self.threshold_percent)

    # Hermes copies the engine for each of its agents: they share the child, and nothing else.
    def __deepcopy__(self, memo):
        return type(self)(context_length=self.context_length, child=self._child)

    @property
    def name(self):
        return "throughline"

    # What was counted before a compaction says nothing of what is left after it: -1 until the
    # provider has counted again.
    def update_from_response(self, usage):
        self.last_prompt_tokens = usage.get("prompt_tokens") or 0
        self.last_completion_tokens = usage.get("completion_tokens") or 0
        self.last_total_tokens = usage.get("total_tokens") or 0
        self._rough_then = self._rough

    def should_compress(self, prompt_tokens=None):
        tokens = self.last_prompt_tokens if prompt_tokens is None else prompt_tokens
        return 0 < self.threshold_tokens <= tokens

    def should_defer_preflight_to_real_usage(self, rough_tokens):
        self._rough = rough_tokens
        if self.last_prompt_tokens < 0:
            return True
        if self.last_prompt_tokens == 0 or not self.threshold_tokens:
            return False
        grown = max(0, rough_tokens - self._rough_then) if self._rough_then else 0
        return self.last_prompt_tokens + grown < self.threshold_tokens

    def compress(self, messages, current_tokens=None, focus_topic=None, force=False, memory_context=""):
        asked = {"messages": messages, "focus": focus_topic or "", "memory": memory_context or ""}
        answer = self._try("compress", asked)
        if answer is None:
            return self._by_the_host(messages, current_tokens, focus_topic)
        if not answer.get("compacted") or not answer.get("messages"):
            return messages
        self.compression_count += 1
        self.last_prompt_tokens = -1
        self.last_completion_tokens = 0
        return answer["messages"]

    def prune_tool_results_only(self, messages, current_tokens=None):
        answer = self._try("prune", {"messages": messages, "tokens": current_tokens or 0})
        if not answer or not answer.get("pruned") or not answer.get("messages"):
            return messages, 0
        return answer["messages"], answer["pruned"]

    def has_content_to_compress(self, messages):
        return sum(1 for each in messages if each.get("role") != "system") > 2

    def on_session_start(self, session_id, **kwargs):
        before = kwargs.get("old_session_id")
        if kwargs.get("boundary_reason") == "compression" and before:
            self._try("continues", {"from": before, "to": session_id})
        self._session = session_id

    def on_session_end(self, session_id, messages):
        self._try("end", {"session": session_id})

    def on_session_reset(self):
        super().on_session_reset()
        self._rough = self._rough_then = 0

    def update_model(self, model, context_length, base_url="", api_key="", provider="", api_mode=""):
        self._model = {
            "model": model,
            "base_url": base_url,
            "api_key": api_key,
            "provider": provider,
            "api_mode": api_mode,
        }
        self._own = None
        # It knows the threshold that the user has set for a model.
        super().update_model(model, context_length, base_url, api_key, provider)
        # The window of another model makes nothing of what was counted.
        self.last_prompt_tokens = 0

    def get_tool_schemas(self):
        if self._tools is None:
            answer = self._try("tools", {})
            if answer is None:
                return []
            self._tools = answer["tools"]
        return self._tools

    def handle_tool_call(self, name, args, **kwargs):
        asked = {"name": name, "args": args, "messages": kwargs.get("messages") or []}
        answer = self._try("tool", asked)
        return json.dumps(answer or {"error": "Throughline does not answer"})

    @property
    def is_aside(self):
        return self._child.failures >= MOST_FAILURES

    def _try(self, method, params):
        """What the child answers; None where it does not."""
        if self.is_aside:
            return None
        own = {"session": self._session, "window": self.context_length}
        if self._model.get("model"):
            own["model"] = self._model["model"]
        try:
            return self._child.ask(method, {**own, **params})
        except ChildError as error:
            log.warning("%s failed: %s", method, error)
            return None

    def _by_the_host(self, messages, current_tokens, focus_topic):
        try:
            if self._own is None:
                from agent.context_compressor import ContextCompressor

                self._own = ContextCompressor(**{k: v for k, v in self._model.items() if v})
            shorter = self._own.compress(messages, current_tokens, focus_topic=focus_topic)
        except Exception as error:  # It is the host's: whatever fails in it, nothing is lost.
            log.warning("the host's own compressor failed: %s", error)
            return messages
        self.compression_count += 1
        self.last_prompt_tokens = -1
        return shorter


def register(ctx):
    ctx.register_context_engine(ThroughlineEngine())
`
}
