import { afterAll, expect, test } from 'vitest'
import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { hermesPlugin } from '../../cli/installed/of/hermes-plugin.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('There is no python3 here: Hermes’ plugin is not tried.')

const root = mkdtempSync(join(tmpdir(), 'throughline-hermes-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const child = [process.execPath, fileURLToPath(new URL('program.ts', import.meta.url))]

/** What the class of a context engine in Hermes' documentation has, and its own compressor. */
const host = {
  'agent/__init__.py': '',
  'agent/context_engine.py': `import copy
from abc import ABC, abstractmethod
class ContextEngine(ABC):
    last_prompt_tokens = last_completion_tokens = last_total_tokens = 0
    threshold_tokens = context_length = compression_count = 0
    threshold_percent, protect_first_n, protect_last_n = 0.75, 3, 6
    @property
    @abstractmethod
    def name(self): ...
    @abstractmethod
    def update_from_response(self, usage): ...
    @abstractmethod
    def should_compress(self, prompt_tokens=None): ...
    @abstractmethod
    def compress(self, messages, current_tokens=None, focus_topic=None, force=False, memory_context=""): ...
    def on_session_reset(self):
        self.last_prompt_tokens = self.compression_count = 0
    def should_compress_info(self, prompt_tokens=None):
        return self.should_compress(prompt_tokens), None
    def update_model(self, model, context_length, base_url="", api_key="", provider="", api_mode=""):
        percent = {"patient": 0.9}.get(model, type(self).threshold_percent)
        self.context_length, self.threshold_percent = context_length, percent
        self.threshold_tokens = int(context_length * percent)
    def clone_for_agent(self):
        return copy.deepcopy(self)
`,
  'agent/context_compressor.py': `class ContextCompressor:
    def __init__(self, model="", **more): self.model = model
    def compress(self, messages, current_tokens=None, focus_topic=None, **more):
        return [{"role": "user", "content": "by the host's own, for " + self.model}]
`,
  'drive.py': `import json, os, sys
from throughline_plugin import ThroughlineEngine, register
class Context:
    def register_context_engine(self, engine): self.engine = engine
context = Context()
register(context)
engine = context.engine.clone_for_agent()
long = "word " * 1500
def steps(count):
    made = [{"role": "system", "content": "Be careful."}, {"role": "user", "content": "Go. Never edit main.ts."}]
    for at in range(count):
        call = {"id": "c%d" % at, "type": "function", "function": {"name": "read_file", "arguments": json.dumps({"path": "notes/%d.txt" % at})}}
        made.append({"role": "assistant", "content": "Step %d." % at, "tool_calls": [call]})
        made.append({"role": "tool", "tool_call_id": "c%d" % at, "content": "%d %s" % (at, long)})
    return made
said = {}
exec(open(sys.argv[1], encoding="utf-8").read())
print(json.dumps(said))
`,
}

function drive(work: string, command: readonly string[] = child): Record<string, unknown> {
  const folder = mkdtempSync(join(root, 'host-'))
  mkdirSync(join(folder, 'agent'))
  for (const [file, text] of Object.entries(host)) writeFileSync(join(folder, file), text)
  writeFileSync(join(folder, 'throughline_plugin.py'), hermesPlugin(command))
  writeFileSync(join(folder, 'work.py'), work)
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_DATA_HOME: folder,
    NODE_NO_WARNINGS: '1',
  }
  const printed = execFileSync('python3', ['drive.py', 'work.py'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(printed)
}

interface Said {
  messages: {
    role: string
    content: string
    tool_calls?: { id: string }[]
    tool_call_id?: string
  }[]
}

test.skipIf(!hasPython)(
  'Hermes gets a valid, shorter list with the rules, the focus and its memory’s text',
  () => {
    const said = drive(`
engine.update_model("m", 100000)
engine.on_session_start("one")
said["due"] = [engine.should_compress(80000), engine.should_compress(70000)]
engine.update_from_response({"prompt_tokens": 80000, "completion_tokens": 5, "total_tokens": 80005})
said["now"] = engine.should_compress()
said["messages"] = engine.compress(steps(40), 80000, "the parser", memory_context="The user likes tea.")
said["after"] = [engine.last_prompt_tokens, engine.compression_count, engine.should_compress(), engine.should_defer_preflight_to_real_usage(90000)]
engine.on_session_start("two", boundary_reason="compression", old_session_id="one")
found = engine.handle_tool_call("throughline_recall", {"words": "Step 12"}, messages=said["messages"])
said["found"] = json.loads(found)
said["tools"] = [each["name"] for each in engine.get_tool_schemas()]
more = said["messages"] + [{"role": "user", "content": "And now?"}]
said["again"] = engine.compress(more + steps(40)[2:], 80000)
engine.on_session_end("two", more)
`) as unknown as Said & Record<string, unknown>
    expect(said['due']).toEqual([true, false])
    expect(said['now']).toBe(true)
    expect(said['after']).toEqual([-1, 1, false, true])
    const { messages } = said
    expect(messages.length).toBeLessThan(40)
    expect(messages[0]).toEqual({ role: 'system', content: 'Be careful.' })
    const text = JSON.stringify(messages)
    for (const words of ['Never edit main.ts.', 'The user likes tea.'])
      expect(text).toContain(words)
    const calls = messages.flatMap((each) => each.tool_calls ?? []).map(({ id }) => id)
    expect(messages.flatMap((each) => each.tool_call_id ?? [])).toEqual(calls)
    expect(JSON.stringify(said['found'])).toContain('Step 12.')
    expect(said['tools']).toEqual(['throughline_recall', 'throughline_pin'])
    expect(JSON.stringify(said['again'])).toContain('Never edit main.ts.')
  },
)

test.skipIf(!hasPython)('old outputs are pruned without a summary on the cheaper trigger', () => {
  const said = drive(`
engine.update_model("m", 1000000)
messages, count = engine.prune_tool_results_only(steps(60), 150000)
said["count"] = count
said["same"] = len(messages) == len(steps(60))
said["newest"] = messages[-1] == steps(60)[-1]
few = steps(3)
said["few"] = [kept is few and count for kept, count in [engine.prune_tool_results_only(few, tokens) for tokens in (9000, 150000)]]
`)
  expect(said['count']).toBeGreaterThan(5)
  expect(said).toMatchObject({ same: true, newest: true, few: [0, 0] })
})

test.skipIf(!hasPython)(
  'real usage goes before an estimate, until it says nothing any more',
  () => {
    const said = drive(`
engine.update_model("m", 100000)
said["unknown"] = engine.should_defer_preflight_to_real_usage(90000)
engine.update_from_response({"prompt_tokens": 50000, "completion_tokens": 1, "total_tokens": 50001})
said["fits"] = engine.should_defer_preflight_to_real_usage(95000)
said["grown"] = engine.should_defer_preflight_to_real_usage(120000)
engine.update_model("small", 60000)
said["switched"] = engine.should_defer_preflight_to_real_usage(90000)
engine.update_model("patient", 100000)
said["patient"] = [engine.should_compress(80000), engine.should_compress(90000)]
engine.update_from_response({"prompt_tokens": 95000})
engine.on_session_reset()
said["reset"] = [engine.should_compress(), engine.should_defer_preflight_to_real_usage(95000)]
`)
    expect(said).toEqual({
      unknown: false,
      fits: true,
      grown: false,
      switched: false,
      patient: [false, true],
      reset: [false, false],
    })
  },
)

test.skipIf(!hasPython)(
  'a child that died is started again, and one that only fails is left alone',
  () => {
    const said = drive(`
engine.update_model("m", 100000)
engine.get_tool_schemas()
engine._child._process.kill()
engine._child._process.wait()
said["again"] = len(engine.compress(steps(40))) < 40
said["failures"] = engine._child.failures
broken = ThroughlineEngine([sys.executable, "-c", "import sys; sys.exit(3)"])
broken.update_model("m", 100000)
said["own"] = [broken.compress(steps(40))[0]["content"] for _ in range(4)]
said["aside"] = broken.is_aside
said["pruned"] = broken.prune_tool_results_only(steps(2), 99000)[1]
said["info"] = broken.should_compress_info(90000)
`)
    expect(said['again']).toBe(true)
    expect(said['failures']).toBe(0)
    expect(said['own']).toEqual(Array.from({ length: 4 }, () => "by the host's own, for m"))
    expect(said).toMatchObject({ aside: true, pruned: 0 })
  },
)

test.skipIf(!hasPython)(
  'a child that hangs is ended, and one that answers nonsense is not believed',
  () => {
    const said = drive(`
def failing(script):
    engine = ThroughlineEngine([sys.executable, "-c", script])
    engine.update_model("m", 100000)
    return engine
hangs = failing("import time; time.sleep(600)")
hangs._child.patience = 0.5
said["hung"] = [hangs.compress(steps(40))[0]["content"] for _ in range(4)]
said["tools"] = hangs.get_tool_schemas()
said["ended"] = hangs._child._process.wait(10) is not None
said["nonsense"] = []
for answer in ["no JSON", "[]", "{}", '{"id": 1}', '{"id": 1, "result": null}', '{"id": 1, "result": [1]}']:
    engine = failing("import sys\\nfor _ in sys.stdin: print(%r, flush=True)" % answer)
    said["nonsense"].append(engine.compress(steps(40))[0]["content"])
empty = failing("import sys\\nfor _ in sys.stdin: print('{\\"id\\": 1, \\"result\\": {\\"compacted\\": true}}', flush=True)")
said["empty"] = empty.compress(steps(2)) == steps(2)
`)
    const own = "by the host's own, for m"
    expect(said).toEqual({
      hung: Array(4).fill(own),
      tools: [],
      ended: true,
      nonsense: Array(6).fill(own),
      empty: true,
    })
  },
)

test.skipIf(!hasPython)('each agent has its own session, and all of them one child', () => {
  const said = drive(`
first, second = context.engine.clone_for_agent(), context.engine.clone_for_agent()
for engine, name in ((first, "one"), (second, "two")):
    engine.update_model("m", 100000)
    engine.on_session_start(name)
first.compress(steps(40), 80000)
second.update_from_response({"prompt_tokens": 80000})
said["counts"] = [first.compression_count, second.compression_count, first.last_prompt_tokens]
said["child"] = first._child is second._child
said["other"] = json.loads(second.handle_tool_call("throughline_recall", {"words": "Step 12"}))
`)
  expect(said).toMatchObject({ counts: [1, 0, -1], child: true })
  expect(JSON.stringify(said['other'])).not.toContain('Step 12.')
})

test.skipIf(!hasPython)(
  'a child that dies in its answer is started again, and a slow one waited for',
  () => {
    const said = drive(`
def with_child(work):
    script = "import json, os, sys, time\\nfor line in sys.stdin:\\n    " + work
    engine = ThroughlineEngine([sys.executable, "-c", script])
    engine.update_model("m", 100000)
    return engine
answer = "print(json.dumps({'id': json.loads(line)['id'], 'result': {'compacted': True, 'messages': [{'role': 'user', 'content': 'short'}]}}), flush=True)"
torn = with_child("print('{', end='', flush=True); os._exit(9) if not os.path.exists('torn') else " + answer)
said["torn"] = torn.compress(steps(9))[0]["content"]
open("torn", "w").close()
slow = with_child("time.sleep(1); " + answer)
said["slow"] = [slow.compress(steps(9))[0]["content"], slow._child.failures]
dies = with_child("os._exit(9) if not os.path.exists('died') else " + answer)
said["died"] = dies.compress(steps(9))[0]["content"]
open("died", "w").close()
said["again"] = [dies.compress(steps(9))[0]["content"], dies._child.failures]
`)
    const own = "by the host's own, for m"
    expect(said).toEqual({ torn: own, slow: ['short', 0], died: own, again: ['short', 0] })
  },
)

test.skipIf(!hasPython)('a command keeps the signs of a path of Windows', () => {
  const command = ['C:\\Users\\Ann "O’Neil"\\new\\node.exe', 'C:\\tools\\😀\\program.js']
  const said = drive(
    'import throughline_plugin; said["command"] = throughline_plugin.COMMAND',
    command,
  )
  expect(said['command']).toEqual(command)
})
