import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { startProvider } from 'throughline/testing/provider'
import { askOnTerminal } from './terminal.ts'
import { runThroughline } from './inside/install-throughline.ts'
import { textOf } from './inside/long/agent.ts'
import type { Client } from './client.ts'
import type { TrialResult } from './resume-once.ts'

interface Printed {
  client: Client
  installed: string
  /** An empty folder for this run alone. */
  home: string
  /** The command of the packed Throughline. */
  throughline: string
}

const sample = join(import.meta.dirname, '../examples/sample-session.jsonl')
/** The beginning and the end of what the sample is about. */
const known = ['I want a small report on a session', 'Nothing is committed and nothing was pushed.']
// Gemini CLI takes a question mark for a key.
const prompt = 'Say whether all is well, marigold.'
const answer = 'All is well, tulip.'

/** Continues a session in a client by the commands that `throughline resume` prints, on a terminal. */
export async function resumePrinted(trial: Printed): Promise<TrialResult> {
  const { client, installed, home, throughline } = trial
  const directory = join(home, 'work', 'project')
  await mkdir(directory, { recursive: true })
  const provider = await startProvider({ model: 'scripted', script: () => ({ text: answer }) })
  const asked = () => provider.requests.filter((request) => textOf(request).includes(prompt))
  try {
    const settled = await client.settle({
      home,
      cache: installed,
      url: provider.url,
      model: 'scripted',
    })
    const path = [join(installed, 'node_modules/.bin'), join(process.execPath, '..')]
    const env = { ...settled, PATH: [...path, process.env['PATH'] ?? ''].join(':') }
    const args = ['--in', client.name, '--keep', '8k', '--directory', directory, '--print']
    const commands = await runThroughline(throughline, home, ['resume', sample, ...args], env)
    const line = commands.trim().replaceAll('\n', ' && ')
    const isSent = (): boolean => asked().length > 0
    const shown = { line, home, directory, env }
    const { screen, problem } = await askOnTerminal(shown, { prompt, isSent, answer })
    const [request] = asked()
    const text = request ? textOf(request) : ''
    const lacking = known.filter((words) => !text.includes(words))
    const problems = [
      ...(problem === undefined ? [] : [problem]),
      ...lacking.map((words) => `the request lacks ${JSON.stringify(words)}`),
    ]
    if (text.lastIndexOf(prompt) < text.lastIndexOf(known[1] ?? ''))
      problems.push('the prompt stands before the end of the session')
    return { problems, ...(problems.length > 0 && { printed: `${line}\n${screen}` }) }
  } finally {
    await provider.close()
  }
}
