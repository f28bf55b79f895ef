import { piWriter } from './writer.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { someRecord } from '../reading/some-record.ts'
import { piReader } from './reader.ts'
import { ownFolder, type ClientFormat, type SessionPlace } from '../writing/harness.ts'
import { toolTable } from '../handoff/tool-table.ts'
import { reads, writes, greps, globs, lists } from '../handoff/tool-rows.ts'

/** As real sessions of versions 1 and 3 of its format call them, and 0.87 gives them to its model. */
const piTools = toolTable('pi', [
  ['bash', 'runs a command', { command: 'command' }, { asides: ['timeout'] }],
  reads('read', 'path'),
  writes('write', 'path'),
  [
    'edit',
    'changes a part of a file',
    { path: 'path', 'old text': 'edits[].oldText', 'new text': 'edits[].newText' },
  ],
  [
    // Before it took several edits at once.
    'edit',
    'changes a part of a file',
    { path: 'path', 'old text': 'oldText', 'new text': 'newText' },
    { given: 'seldom' },
  ],
  greps('grep', { given: 'seldom' }),
  globs('find', { given: 'seldom' }),
  lists('ls', { given: 'seldom' }),
])

/** `sessions/--<the directory, flattened>--/<time>_<session>.jsonl`. */
const piPlace: SessionPlace = {
  roots(surroundings) {
    const { variables, path } = surroundings
    const named = variables['PI_CODING_AGENT_SESSION_DIR']
    if (named !== undefined && path.isAbsolute(named)) return [path.normalize(named)]
    const names = ['.pi', 'agent']
    return ownFolder(surroundings, {
      variable: 'PI_CODING_AGENT_DIR',
      names,
      behind: ['sessions'],
    })
  },
  sessionIn: (relativePath) =>
    /^(?:[^/]+\/)?(?:[\dTZ-]{20,24}_)?([^/]+)\.jsonl$/.exec(relativePath)?.[1],
  placeFor({ session, directory, now }) {
    const time = new Date(now).toISOString().replace(/[:.]/g, '-')
    return `${slugOf(directory)}/${time}_${session}.jsonl`
  },
  // By its file, because pi asks first for an id from another directory's session.
  resume: ({ file }) => [['pi', '--session', file]],
}

/** pi's sessions: one JSON entry a line, flat in version 1 and a tree of ids since. */
export const pi: ClientFormat = {
  name: 'pi',
  place: '~/.pi/agent/sessions/--<project>--/<time>_<session>.jsonl',
  tools: piTools,
  recognises: someRecord(isPi),
  reader: piReader,
  prefix: 'pi',
  writer: piWriter,
  home: piPlace,
}

function isPi(record: Fields): boolean {
  switch (record['type']) {
    case 'session': {
      const timed = typeof record['id'] === 'string' && typeof record['timestamp'] === 'string'
      return timed && !('externalId' in record)
    }
    case 'message': {
      const message = fieldsOf(record['message'])
      return roles.has(message?.['role']) && typeof message?.['timestamp'] === 'number'
    }
    default:
      return false
  }
}

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'toolResult', 'bashExecution'])

// File systems don't allow longer names; pi resumes from the file, whatever its folder.
const longestSlug = 200

function slugOf(directory: string): string {
  const slug = directory.slice(0, longestSlug).replace(/^[/\\]/, '')
  return `--${slug.replace(/[/\\:\0]/g, '-')}--`
}
