import { kimiCodeWriter } from './writer.ts'
import { createHash } from 'node:crypto'
import { someRecord } from '../reading/some-record.ts'
import { nameOf, type Fields } from '../../json/fields.ts'
import { kimiCodeReader } from './reader.ts'
import { toolTable } from '../handoff/tool-table.ts'
import { asks, delegates, greps, globs, keepsTodos, loadsSkills } from '../handoff/tool-rows.ts'
import { ownFolder, type ClientFormat, type SessionPlace } from '../writing/harness.ts'

/** As 2.1.0 gives them to its model. */
const kimiCodeTools = toolTable('Kimi Code', [
  [
    'Bash',
    'runs a command',
    { command: 'command' },
    { own: ['cwd', 'run_in_background'], asides: ['description', 'timeout'] },
  ],
  [
    'Read',
    'reads a file',
    { path: 'path', 'first line': 'line_offset?', lines: 'n_lines?' },
    { own: ['column_offset'] },
  ],
  [
    'Write',
    'writes a whole file',
    { path: 'path', content: 'content' },
    { own: ['mode'], usual: { mode: 'overwrite' } },
  ],
  [
    'Edit',
    'changes a part of a file',
    {
      path: 'path',
      'old text': 'old_string',
      'new text': 'new_string',
      everywhere: 'replace_all?',
    },
    { usual: { replace_all: false } },
  ],
  greps('Grep', { usual: { output_mode: 'content', '-n': true } }),
  globs('Glob'),
  ['FetchURL', 'fetches a web page', { url: 'url' }],
  keepsTodos('TodoList'),
  delegates('Agent'),
  asks('AskUserQuestion'),
  loadsSkills('Skill', 'skill'),
])

/** `sessions/wd_<folder>_<its path, hashed>/<session>/agents/main/wire.jsonl`. */
const kimiCodePlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, {
      variable: 'KIMI_CODE_HOME',
      names: ['.kimi-code'],
      behind: ['sessions'],
    }),
  sessionIn: (relativePath) =>
    /^[^/]+\/(?:session_)?([^/]+)\/agents\/main\/wire\.jsonl$/.exec(relativePath)?.[1],
  placeFor: ({ session, directory }) =>
    `${folderOf(directory)}/session_${session}/agents/main/wire.jsonl`,
  resume: ({ session }) => [['kimi', '--resume', `session_${session}`]],
}

/**
 * Kimi Code's sessions: one record a line, of which those that begin with `context.` make what its
 * model sees. Kimi CLI, before it was rewritten, kept the messages themselves.
 */
export const kimiCode: ClientFormat = {
  name: 'kimi-code',
  place: '~/.kimi-code/sessions/<project>/<session>/agents/main/wire.jsonl',
  tools: kimiCodeTools,
  recognises: someRecord(isKimi),
  reader: kimiCodeReader,
  prefix: 'kimi',
  writer: kimiCodeWriter,
  home: kimiCodePlace,
}

function isKimi(record: Fields): boolean {
  const { type, role } = record
  if (type === 'metadata') return nameOf(record['protocol_version']) !== undefined
  if (typeof type === 'string') return type.startsWith('context.') && ownTypes.has(type)
  return typeof role === 'string' && oldRoles.has(role)
}

const ownTypes: ReadonlySet<string> = new Set([
  'context.append_message',
  'context.append_loop_event',
  'context.apply_compaction',
])

/** What Kimi CLI noted among the messages, as messages of roles that nobody else has. */
const oldRoles: ReadonlySet<string> = new Set(['_system_prompt', '_checkpoint', '_usage'])

const longestSlug = 40
const hashDigits = 12

/** The folder that Kimi Code has for the sessions of a directory. */
function folderOf(directory: string): string {
  const path = directory.replaceAll('\\', '/').replace(/\/+$/, '')
  const slug = plain(plain(path.split('/').at(-1) ?? '').slice(0, longestSlug))
  const name = slug === '' || slug === '.' || slug === '..' ? 'workspace' : slug
  return `wd_${name}_${createHash('sha256').update(path).digest('hex').slice(0, hashDigits)}`
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
}
