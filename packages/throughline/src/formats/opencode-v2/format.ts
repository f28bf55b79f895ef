import { opencodeV2Writer } from './writer.ts'
import { fieldsOf, nameOf, objectsOf } from '../../json/fields.ts'
import { opencodeV2Reader } from './reader.ts'
import { reads, writes } from '../handoff/tool-rows.ts'
import { toolTable } from '../handoff/tool-table.ts'
import type { ClientFormat, SessionPlace } from '../writing/harness.ts'

/** By the schemas of version 2.2: those tools whose arguments were known. */
const opencodeV2Tools = toolTable('opencode 2', [
  [
    'shell',
    'runs a command',
    { command: 'command', directory: 'workdir?' },
    { own: ['background'], asides: ['timeout'] },
  ],
  reads('read', 'path'),
  writes('write', 'path'),
  [
    'edit',
    'changes a part of a file',
    { path: 'path', 'old text': 'oldString', 'new text': 'newString', everywhere: 'replaceAll?' },
    { usual: { replaceAll: false } },
  ],
  [
    'grep',
    'searches in files',
    { pattern: 'pattern', path: 'path?', files: 'include?' },
    { own: ['literal', 'limit'], usual: { caseSensitive: true } },
  ],
])

/** The database that version 1 had too. */
const opencodeV2Place: SessionPlace = {
  roots: () => [],
  sessionIn: () => undefined,
  placeFor: () => undefined,
  resume: ({ session, file }) => [
    ['opencode', 'session', 'import', file],
    ['opencode', '--session', session],
  ],
}

/** What `opencode session export` of version 2 prints, and what its database holds. */
export const opencodeV2: ClientFormat = {
  name: 'opencode-v2',
  place: 'the output of `opencode session export <session>`, of version 2',
  tools: opencodeV2Tools,
  recognises: (records) => records.some(isExport),
  reader: opencodeV2Reader,
  prefix: 'opencode2',
  writer: opencodeV2Writer,
  home: opencodeV2Place,
}

/** Its messages have a type of their own, where those of version 1 have an `info`. */
function isExport(value: unknown): boolean {
  const record = fieldsOf(value)
  const info = fieldsOf(record?.['info'])
  if (!nameOf(info?.['id'])?.startsWith('ses_') || !Array.isArray(record?.['messages']))
    return false
  const [first] = objectsOf(record['messages'])
  return first === undefined ? fieldsOf(info?.['location']) !== undefined : isMessage(first)
}

function isMessage({ type, info }: Readonly<Record<string, unknown>>): boolean {
  return typeof type === 'string' && info === undefined
}
