import { claudeCodeWriter } from './writer.ts'
import { fieldsOf, type Fields } from '../../json/fields.ts'
import { someRecord } from '../reading/some-record.ts'
import { claudeCodeReader } from './reader.ts'
import { ownFolder, type ClientFormat, type SessionPlace } from '../writing/harness.ts'
import { toolTable } from '../handoff/tool-table.ts'
import {
  reads,
  writes,
  edits,
  greps,
  globs,
  lists,
  fetches,
  searchesTheWeb,
  keepsTodos,
  delegates,
  asks,
  loadsSkills,
} from '../handoff/tool-rows.ts'

/** As real sessions of versions 2.1.7 to 2.1.219 call them, and 2.1.330 gives them to its model. */
const claudeCodeTools = toolTable('Claude Code', [
  [
    'Bash',
    'runs a command',
    { command: 'command', description: 'description?' },
    { asides: ['description', 'timeout'] },
  ],
  reads('Read', 'file_path'),
  writes('Write'),
  edits('Edit'),
  greps('Grep', { usual: { output_mode: 'content', '-n': true }, given: 'seldom' }),
  globs('Glob', { given: 'seldom' }),
  lists('LS', { given: 'seldom' }),
  fetches('WebFetch'),
  searchesTheWeb('WebSearch', { given: 'after a search' }),
  ['TaskCreate', 'keeps the list of things to do', {}, { own: ['subject', 'description'] }],
  ['TaskUpdate', 'keeps the list of things to do', {}, { own: ['taskId', 'status'] }],
  keepsTodos('TodoWrite', { given: 'seldom' }),
  delegates('Agent'),
  delegates('Task', { given: 'seldom' }),
  asks('AskUserQuestion'),
  loadsSkills('Skill', 'skill'),
])

/** `projects/<the directory, flattened>/<session>.jsonl`. */
const claudeCodePlace: SessionPlace = {
  roots: (surroundings) =>
    ownFolder(surroundings, {
      variable: 'CLAUDE_CONFIG_DIR',
      names: ['.claude'],
      behind: ['projects'],
    }),
  // Its subagents are one folder deeper, or next to it in files with such names.
  sessionIn: (relativePath) => /^[^/]+\/(?!agent-)([^/]+)\.jsonl$/.exec(relativePath)?.[1],
  placeFor: ({ session, directory }) => `${slugOf(directory)}/${session}.jsonl`,
  resume: ({ session }) => [['claude', '--resume', session]],
}

/** Claude Code's transcripts: one JSON record a line, linked by uuids. */
export const claudeCode: ClientFormat = {
  name: 'claude-code',
  place: '~/.claude/projects/<project>/<session>.jsonl',
  tools: claudeCodeTools,
  recognises: someRecord(isClaudeCode),
  reader: claudeCodeReader,
  prefix: 'claude',
  writer: claudeCodeWriter,
  home: claudeCodePlace,
}

function isClaudeCode(record: Fields): boolean {
  switch (record['type']) {
    case 'user':
    case 'assistant': {
      const content = fieldsOf(record['message'])?.['content']
      const linked = 'parentUuid' in record || typeof record['uuid'] === 'string'
      return linked && (typeof content === 'string' || Array.isArray(content))
    }
    case 'system':
      // Qwen Code's records are much like these.
      if ('systemPayload' in record) return false
      return typeof record['subtype'] === 'string' && 'parentUuid' in record
    case 'attachment':
      return fieldsOf(record['attachment']) !== undefined && 'parentUuid' in record
    case 'progress':
      return fieldsOf(record['data']) !== undefined && 'parentUuid' in record
    case 'file-history-snapshot':
      return fieldsOf(record['snapshot']) !== undefined
    case 'summary':
      return typeof record['summary'] === 'string' && typeof record['leafUuid'] === 'string'
    case 'queue-operation':
      return typeof record['operation'] === 'string' && typeof record['sessionId'] === 'string'
    default:
      return false
  }
}

const longestSlug = 200

/** Cut if it is too long for a file system, followed by a number that keeps such names apart. */
function slugOf(directory: string): string {
  const slug = directory.replace(/[^a-zA-Z0-9]/g, '-')
  if (slug.length <= longestSlug) return slug
  return `${slug.slice(0, longestSlug)}-${Math.abs(hashOf(directory)).toString(36)}`
}

function hashOf(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  }
  return hash
}
