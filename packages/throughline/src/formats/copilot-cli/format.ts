import { copilotCliWriter } from './writer.ts'
import { fieldsOf } from '../../json/fields.ts'
import { someRecord } from '../reading/some-record.ts'
import { copilotCliReader } from './reader.ts'
import { ownFolder, type ClientFormat, type SessionPlace } from '../writing/harness.ts'
import { toolTable } from '../handoff/tool-table.ts'
import { patches, loadsSkills } from '../handoff/tool-rows.ts'

const shell = { command: 'command', description: 'description' }
const shellMarks = {
  own: ['shellId'],
  asides: ['description', 'initial_wait'],
  usual: { mode: 'sync' },
  toldBy: { description: 'command' },
}

/** As real sessions of versions 1.0.40 to 1.0.74 call them, and 1.0.102 gives them to its model. */
const copilotCliTools = toolTable('Copilot CLI', [
  ['bash', 'runs a command', shell, shellMarks],
  ['powershell', 'runs a command', shell, shellMarks],
  ['view', 'reads a file', { path: 'path' }, { own: ['view_range'] }],
  ['create', 'writes a whole file', { path: 'path', content: 'file_text' }],
  [
    'edit',
    'changes a part of a file',
    { path: 'path', 'old text': 'old_str', 'new text': 'new_str' },
  ],
  patches('apply_patch', 'input'),
  [
    'grep',
    'searches in files',
    { pattern: 'pattern', files: 'glob?' },
    { own: ['paths'], usual: { output_mode: 'content', '-n': true } },
  ],
  ['glob', 'finds files by name', { pattern: 'pattern' }, { own: ['paths'] }],
  [
    'task',
    'gives work to a subagent',
    {},
    { own: ['agent_type', 'prompt', 'description', 'name'] },
  ],
  ['ask_user', 'asks the user', {}, { own: ['question', 'choices'] }],
  loadsSkills('skill', 'skill'),
])

/** `session-state/<session>/events.jsonl`. */
const copilotCliPlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, {
      variable: 'COPILOT_HOME',
      names: ['.copilot'],
      behind: ['session-state'],
    }),
  sessionIn: (relativePath) => /^([^/]+)\/events\.jsonl$/.exec(relativePath)?.[1],
  placeFor: ({ session }) => `${session}/events.jsonl`,
  resume: ({ session }) => [['copilot', `--resume=${session}`]],
}

/** GitHub Copilot CLI's sessions: one event a line, each a type and its data. */
export const copilotCli: ClientFormat = {
  name: 'copilot-cli',
  place: '~/.copilot/session-state/<session>/events.jsonl',
  tools: copilotCliTools,
  recognises: someRecord(({ type, data }) => types.has(type) && fieldsOf(data) !== undefined),
  reader: copilotCliReader,
  prefix: 'copilot',
  writer: copilotCliWriter,
  home: copilotCliPlace,
}

const types: ReadonlySet<unknown> = new Set([
  'session.start',
  'session.resume',
  'session.model_change',
  'session.compaction_complete',
  'system.message',
  'user.message',
  'assistant.message',
  'assistant.turn_start',
  'tool.execution_start',
  'tool.execution_complete',
])
