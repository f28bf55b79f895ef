import {
  gatewayFolder,
  gatewayOptions,
  settingsOf,
  loadGateway,
  pageModule,
} from '../gateway/gateway-package.ts'
import { restOf, type Command, type ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

export const runCommand: Command = {
  name: 'run',
  description: [
    'Runs a client behind its own gateway, so that its session never runs out of context: codex, claude, opencode, pi, gemini, qwen, copilot, cn, or any command that reads OPENAI_BASE_URL, ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL. Everything after -- belongs to the client.',
    'Only this machine can reach the gateway, and it ends with the client. Environment variables or the client’s own flags point the client to it; no file of the client is changed. Before the start, the command shows which logins work and what each one loses; at the end, it shows what was done. docs/gateway.md has the whole table.',
    'A request that fits is passed on byte for byte. The gateway is in the package throughline-gateway.',
  ],
  arguments: [{ name: 'client', give: 'a command, such as throughline run -- codex', rest: true }],
  options: {
    ...gatewayOptions,
    '-q, --quiet': 'Say nothing before the start and at the end.',
  },
  examples: {
    'throughline run -- codex': 'Run Codex behind a gateway for this run only.',
    'throughline run --window 128k -- python agent.py':
      'Run any program that uses an SDK, with a model whose window is not known.',
  },
  run,
}

async function run(parsed: ParsedArguments, io: Io): Promise<number> {
  const [command = '', ...args] = restOf(parsed, 'client')
  const settings = settingsOf('run', parsed)
  const { runBehind } = await loadGateway(`run -- ${command}`)
  return runBehind({
    command,
    args,
    env: io.env,
    directory: io.cwd,
    folder: gatewayFolder(parsed, io),
    settings,
    pageModule: pageModule(),
    say: (text) => io.stderr.write(text),
    isQuiet: parsed.flags.has('quiet'),
  })
}
