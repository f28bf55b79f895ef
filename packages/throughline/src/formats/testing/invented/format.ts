import { call, rowFor, text, textOutput } from '../../conversation/parts.ts'
import {
  compact,
  newSessionState,
  note,
  recordReader,
  reply,
  result,
  say,
  type SessionState,
} from '../../conversation/session-state.ts'
import { jsonLines, recordsOf } from '../../writing/message-rows.ts'
import { outputWords } from '../../../wires/text-pieces.ts'
import { ownFolder, type ClientFormat } from '../../writing/harness.ts'
import { saidParts } from '../../conversation/user-messages.ts'
import { someRecord } from '../../reading/some-record.ts'
import { toolTable } from '../../handoff/tool-table.ts'
import { wordsFor } from '../../../wires/media.ts'
import type { Fields } from '../../../json/fields.ts'

const records: Readonly<Record<string, (state: SessionState, record: Fields) => void>> = {
  begin: (state, { id, directory }) => note(state, { id, directory }),
  summary: (state, { words: summary }) =>
    void compact(state, { by: 'invented', label: 'X', summary }),
  human: (state, { words }) => void say(state, saidParts(String(words))),
  model(state, { words, calls }) {
    const called = (calls as Fields[]).flatMap(({ id, tool, input }) => call(id, tool, input))
    reply(state, { parts: [...text(words), ...called] })
  },
  tool(state, { call: toolCallId, words }) {
    result(state, { toolCallId, output: textOutput(String(words), false) })
  },
}

/** A format that nobody has, in a folder of its own: what a new one needs. */
export const invented: ClientFormat = {
  name: 'invented',
  place: '~/.invented/<session>.jsonl',
  tools: toolTable('Invented', [['execute', 'runs a command', { command: 'line' }]]),
  recognises: someRecord(({ invented: kind }) => typeof kind === 'string'),
  reader: () =>
    recordReader(newSessionState(), (state, record) =>
      rowFor(records, record['invented'])?.(state, record),
    ),
  prefix: 'invented',
  writer: {
    name: 'invented',
    lines: true,
    write({ summary, messages }, { session, now, directory }) {
      const said = recordsOf<Fields>(messages, now, {
        user: (pieces) => [{ invented: 'human', words: pieces.map(wordsFor).join('\n') }],
        reply(parts) {
          const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
          const calls = parts.flatMap((part) => {
            if (part.type === 'text') return []
            return [{ id: part.toolCallId, tool: part.toolName, input: part.input }]
          })
          return [{ invented: 'model', words: words.join('\n'), calls }]
        },
        result: ({ toolCallId, output }) => [
          { invented: 'tool', call: toolCallId, words: outputWords(output) },
        ],
      })
      const first = { invented: 'begin', id: session, directory }
      const before = summary === undefined ? [] : [{ invented: 'summary', words: summary }]
      return { session, text: jsonLines([first, ...before, ...said]) }
    },
  },
  home: {
    roots: (surroundings) =>
      ownFolder(surroundings, { variable: 'INVENTED_HOME', names: ['.invented'], behind: [] }),
    sessionIn: (relativePath) => /^([^/]+)\.jsonl$/.exec(relativePath)?.[1],
    placeFor: ({ session }) => `${session}.jsonl`,
    resume: ({ session }) => [['invented', 'resume', session]],
  },
}
