import { exitCodes } from '../errors.ts'
import {
  gatewayFolder,
  gatewayOptions,
  pageModule,
  settingsOf,
  loadGateway,
} from '../gateway/gateway-package.ts'
import { pathFrom } from '../paths.ts'
import { oneOf, usage } from '../parse-arguments.ts'
import type { Command, ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

const interfaces = ['callers', 'one-user'] as const
const providers = { openai: 'OpenAI', anthropic: 'Anthropic', gemini: 'Gemini' } as const

export const serveCommand: Command = {
  name: 'serve',
  description: [
    'Runs a gateway until you stop it. Point any client at it, in any language, and its sessions never run out of context. It speaks OpenAI’s Chat Completions and Responses, Anthropic’s Messages and Gemini’s generateContent. Keys pass through and are never stored.',
    'A request that fits is passed on byte for byte. The gateway is in the package throughline-gateway.',
  ],
  arguments: [],
  options: {
    '--port PORT': 'Default: 4141.',
    '--host HOST': 'Default: 127.0.0.1, so that only this machine reaches it.',
    ...Object.fromEntries(
      Object.entries(providers).map(([name, label]) => [
        `--${name} URL`,
        `The base URL for requests in the format of ${label}. Default: the public one.`,
      ]),
    ),
    '--team-config FILE':
      'Serve a team with the settings in this JSON file: limits, keys, retention, routes. It is read again at SIGHUP. Other options override it. See docs/gateway-team.md.',
    '--session-interface WHO':
      'Open /throughline/sessions. callers: each caller sees and changes its own sessions, by its key. one-user: you see and change all sessions, with a token that is printed at the start, or is in THROUGHLINE_GATEWAY_TOKEN. Default: nobody does.',
    '--report-links':
      'Let callers who may read a session there make a link to its page that opens without a key, for ten minutes.',
    ...gatewayOptions,
  },
  examples: {
    'throughline serve': 'Serve on http://127.0.0.1:4141.',
    'throughline serve --openai http://127.0.0.1:8000/v1 --window 32k':
      'Serve in front of your own model server.',
    'throughline serve --store postgres://user:password@host/database':
      'Run one replica of a team’s gateway; start as many as you like.',
  },
  run: runServe,
}

async function runServe(parsed: ParsedArguments, io: Io): Promise<number> {
  const { values, flags } = parsed
  const port = Number(values.get('port') ?? 4141)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw usage('serve', `--port must be a number up to 65535, not ${values.get('port')}`)
  }
  const upstreams = Object.fromEntries(
    Object.keys(providers).flatMap((name) => {
      const url = values.get(name)
      if (url === undefined) return []
      if (!URL.canParse(url) || !/^https?:/.test(url)) {
        throw usage('serve', `--${name} must be an http or https URL, not ${JSON.stringify(url)}`)
      }
      return [[name, url]]
    }),
  )
  const settings = settingsOf('serve', parsed)
  const configFile = values.get('team-config')
  const store = values.get('store')
  const given = {
    ...(values.has('host') && { host: values.get('host') }),
    ...(values.has('port') && { port }),
    ...(store !== undefined && { store: gatewayFolder(parsed, io) }),
    upstreams,
    sessions: settings,
  }
  const who = values.get('session-interface')
  const sessionInterface =
    who === undefined ? undefined : oneOf('serve', 'session-interface', who, interfaces)
  const { serve } = await loadGateway('serve')
  await serve({
    host: values.get('host') ?? '127.0.0.1',
    port,
    upstreams,
    folder: gatewayFolder(parsed, io),
    settings,
    pageModule: pageModule(),
    ...(sessionInterface !== undefined && { sessionInterface }),
    reportLinks: flags.has('report-links'),
    ...(configFile !== undefined && { configFile: pathFrom(io.cwd, configFile), given }),
    say: (text) => io.stderr.write(text),
    signal: io.signal,
  })
  return exitCodes.done
}
