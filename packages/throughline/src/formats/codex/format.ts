import { codexWriter } from './writer.ts'
import { fieldsOf } from '../../json/fields.ts'
import { someRecord } from '../reading/some-record.ts'
import { codexReader } from './reader.ts'
import { ownFolder, type ClientFormat, type SessionPlace } from '../writing/harness.ts'
import { toolTable } from '../handoff/tool-table.ts'
import { patches } from '../handoff/tool-rows.ts'

const asides = ['sandbox_permissions', 'justification']

/** As real sessions of versions 0.118 to 0.142 call them. Files are read by commands. */
const codexTools = toolTable('Codex', [
  [
    'exec_command',
    'runs a command',
    { command: 'cmd', directory: 'workdir?' },
    { asides: [...asides, 'yield_time_ms', 'max_output_tokens', 'prefix_rule'] },
  ],
  [
    'shell_command',
    'runs a command',
    { command: 'command', directory: 'workdir?' },
    { asides: [...asides, 'timeout_ms'] },
  ],
  patches('apply_patch', 'input'),
  ['web_search', 'searches the web', {}, { own: ['query'] }],
  ['update_plan', 'keeps the list of things to do', {}, { own: ['plan', 'explanation'] }],
  ['spawn_agent', 'gives work to a subagent', {}, { own: ['message', 'agent_type'] }],
])

/** `sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl`. */
const codexPlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, { variable: 'CODEX_HOME', names: ['.codex'], behind: ['sessions'] }),
  sessionIn: (relativePath) =>
    /^\d+\/\d+\/\d+\/rollout-(?:[\dT-]{19}-)?([^/]+)\.jsonl$/.exec(relativePath)?.[1],
  placeFor({ session, now }) {
    const time = new Date(now).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)
    const [year, month, day] = time.slice(0, 'yyyy-mm-dd'.length).split('-')
    return `${year}/${month}/${day}/rollout-${time.replaceAll(':', '-')}-${session}.jsonl`
  },
  resume: ({ session }) => [['codex', 'resume', session]],
}

/** Codex's rollouts: one JSON record a line, each a type and its payload. */
export const codex: ClientFormat = {
  name: 'codex',
  place: '~/.codex/sessions/<year>/<month>/<day>/rollout-….jsonl',
  tools: codexTools,
  recognises: someRecord(({ type, payload }) => types.has(type) && fieldsOf(payload) !== undefined),
  reader: codexReader,
  prefix: 'codex',
  writer: codexWriter,
  home: codexPlace,
}

const types: ReadonlySet<unknown> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
])
