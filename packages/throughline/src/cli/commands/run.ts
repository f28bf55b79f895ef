import {
  gatewayFolder,
  gatewayOptions,
  settingsOf,
  loadGateway,
} from '../gateway/gateway-package.ts'
import { restOf, type Command, type ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

export const runCommand: Command = {
  name: 'run',
  description: [
    'Runs a client behind a gateway of its own, so that its session never runs out of context: codex, claude, opencode, pi, gemini, qwen, copilot, cn, or any command that reads OPENAI_BASE_URL, ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL. What belongs to the client stands behind --.',
    'The gateway listens on this machine alone and ends with the client. No file of the client is changed: it is sent to the gateway by its environment or its own flags. Before the start you read which logins work and what each loses, at the end what was done. docs/gateway.md has the whole table.',
    'While a request fits, its bytes go through untouched. The gateway is the package throughline-gateway.',
  ],
  arguments: [{ name: 'client', give: 'a command, such as throughline run -- codex', rest: true }],
  options: [
    ...gatewayOptions,
    { name: 'quiet', short: 'q', help: 'Say nothing before the start and at the end.' },
  ],
  examples: [
    { command: 'throughline run -- codex', does: 'Codex, behind a gateway for this run alone.' },
    {
      command: 'throughline run --window 128k -- python agent.py',
      does: 'Any program over an SDK, with a model whose window is not known.',
    },
  ],
  run,
}

async function run(parsed: ParsedArguments, io: Io): Promise<number> {
  const [command = '', ...args] = restOf(parsed, 'client')
  const settings = settingsOf('run', parsed)
  // What draws pages is not loaded before the command is sure to run.
  const { sessionPage } = await import('../gateway/session-page.ts')
  const { runBehind } = await loadGateway(`run -- ${command}`)
  return runBehind({
    command,
    args,
    env: io.env,
    directory: io.cwd,
    folder: gatewayFolder(parsed, io),
    settings,
    reportPage: sessionPage(settings),
    say: (text) => io.stderr.write(text),
    isQuiet: parsed.flags.has('quiet'),
  })
}
