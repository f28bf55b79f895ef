import { join } from 'node:path'
import { changeJson } from '../change-json.ts'
import { lastTextOf } from '../last-text.ts'
import { qwenCode } from '../../of/qwen-code.ts'
import { runClient } from '../../run-client.ts'
import type { InsideClient } from '../client-trial.ts'

const window = 80_000
const ours = 'Throughline read this from the record of the session by code.'

interface Settings {
  model: { generationConfig: { contextWindowSize: number } }
}

export const insideQwenCode: InsideClient = {
  client: qwenCode,
  word: 'qwen',
  window,
  overflowsAt: 45_000,
  // Its results are lists of parts.
  strict: false,
  filesBeforeCompact: 3,
  read: (file_path) => ({ name: 'read_file', input: { file_path } }),
  run: (command) => ({ name: 'run_shell_command', input: { command, is_background: false } }),
  write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
  reach: ({ said, tools }, tool, input) => {
    const name = `mcp__throughline__${tool}`
    const isTold = said.some((part) => 'text' in part && part.text.includes(`"${name}"`))
    return isTold && tools.includes('tool_call')
      ? { name: 'tool_call', input: { name, arguments: input } }
      : undefined
  },
  asksForSummary: (request) => lastTextOf(request).includes('state_snapshot'),
  // What its hooks add comes with the second request after a compaction: the first one has what the
  // model took from our instructions.
  summary(usual, request) {
    const texts = request.said.map((part) => ('text' in part ? part.text : ''))
    const told = texts.findLast((text) => text.includes(ours)) ?? ''
    const [, record = ''] = told.split(ours, 2)
    return `<state_snapshot>\n${usual}\n${record.split('\n\nDo not call tools')[0]}\n</state_snapshot>`
  },
  resumesInOtherWords: true,
  // Two processes may end behind a summary, each before the request with which it is told.
  toldAfter: 2,
  // It leaves out its reminders once, and brings them back.
  cacheLosses: 2,
  broken: {
    '.local/share/throughline/clients/qwen-code/program.js': 'throw new Error("broken")\n',
  },
  async prepare(home) {
    await changeJson(join(home, '.qwen/settings.json'), ({ model }: Settings) => {
      model.generationConfig.contextWindowSize = window
    })
    return {}
  },
  afterOverflow: { exitCode: 0, compacts: true },
  first: (prompt) => ['-p', prompt, '--yolo'],
  again: (prompt) => ['-p', prompt, '--yolo', '--continue'],
  async compact(place) {
    const args = ['-p', '/compress', '--yolo', '--continue']
    const { exitCode, printed } = await runClient({ ...place, args })
    if (exitCode !== 0) throw new Error(`/compress ended with ${exitCode}: ${printed}`)
  },
}
