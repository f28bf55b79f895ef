import { meantHint, usage } from '../../../parse-arguments.ts'
import type { Io } from '../../../io.ts'

interface Provider {
  name: string
  wire: 'anthropic' | 'openai'
  baseUrl: string
  /** The variables that may hold its key, in order; none for a server of one's own. */
  keys: readonly string[]
  /** The variable that may name another address. */
  baseUrlIn?: string
}

/** The providers that are asked without any package: all of them speak one of two languages. */
const providers: readonly Provider[] = [
  {
    name: 'anthropic',
    wire: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keys: ['ANTHROPIC_API_KEY'],
    baseUrlIn: 'ANTHROPIC_BASE_URL',
  },
  {
    name: 'openai',
    wire: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
    baseUrlIn: 'OPENAI_BASE_URL',
  },
  {
    name: 'google',
    wire: 'openai',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  },
  openai('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  openai('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  openai('mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  openai('deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  openai('xai', 'https://api.x.ai/v1', 'XAI_API_KEY'),
  openai('ollama', 'http://127.0.0.1:11434/v1'),
  openai('lmstudio', 'http://127.0.0.1:1234/v1'),
]

function openai(name: string, baseUrl: string, ...keys: readonly string[]): Provider {
  return { name, wire: 'openai', baseUrl, keys }
}

export const providerNames = providers.map(({ name }) => name)

export type ChosenModel =
  | {
      type: 'http'
      model: string
      wire: Provider['wire']
      baseUrl: string
      key: string | undefined
      /** The variable of the environment that holds the key, or may hold it. */
      keyIn: string
    }
  /** A provider of the AI SDK, by the name of its package. */
  | { type: 'package'; model: string; provider: string }

// For a server of one's own.
const ownKey = 'THROUGHLINE_API_KEY'

/**
 * The model that `--model` and `--base-url` name; `undefined` without them.
 * @throws UsageError
 */
export function chosenModel(
  command: string,
  values: ReadonlyMap<string, string>,
  env: Io['env'],
): ChosenModel | undefined {
  const named = values.get('model')
  const baseUrl = values.get('base-url')
  if (named === undefined) {
    if (baseUrl === undefined) return undefined
    throw usage(command, '--base-url needs --model: name the model that the server has')
  }
  const [before = '', ...after] = named.split('/')
  const provider = providers.find(({ name }) => name === before)
  if (baseUrl !== undefined) return atServer(named, checkedUrl(command, baseUrl), provider, env)
  if (before === '' || after.join('') === '') {
    throw usage(
      command,
      `--model is PROVIDER/MODEL, such as anthropic/claude-haiku-4-5, not ${JSON.stringify(named.slice(0, 60))}`,
    )
  }
  const model = after.join('/')
  if (provider) return atProvider(command, provider, model, env)
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(before)) throw unknownProvider(command, before)
  if (meantHint(before, providerNames) !== '') throw unknownProvider(command, before)
  return { type: 'package', model, provider: before }
}

function unknownProvider(command: string, word: string) {
  const shown = JSON.stringify(word.slice(0, 60))
  const hint = meantHint(word, providerNames)
  return usage(
    command,
    `--model begins with ${providerNames.join(', ')}, or an AI SDK provider, not ${shown}${hint}`,
  )
}

/** A server of one's own: the name of a provider before its model may be left out. */
function atServer(
  named: string,
  baseUrl: string,
  provider: Provider | undefined,
  env: Io['env'],
): ChosenModel {
  const model = provider ? named.slice(provider.name.length + 1) : named.replace(/^local\//, '')
  const theirs = provider && keyNameIn(provider, env)
  const keyIn = env[ownKey] === undefined && theirs !== undefined ? theirs : ownKey
  return { type: 'http', model, wire: provider?.wire ?? 'openai', baseUrl, key: env[keyIn], keyIn }
}

function atProvider(
  command: string,
  provider: Provider,
  model: string,
  env: Io['env'],
): ChosenModel {
  const { name, wire, keys, baseUrlIn } = provider
  const keyIn = keyNameIn(provider, env)
  if (keyIn === undefined && keys.length > 0) {
    throw usage(command, `${name} needs a key in the environment: set ${keys.join(' or ')}`)
  }
  const elsewhere = baseUrlIn === undefined ? undefined : env[baseUrlIn]
  const baseUrl = elsewhere ? checkedUrl(command, elsewhere) : provider.baseUrl
  const key = keyIn === undefined ? undefined : env[keyIn]
  return { type: 'http', model, wire, baseUrl, key, keyIn: keyIn ?? ownKey }
}

function keyNameIn({ keys }: Provider, env: Io['env']): string | undefined {
  return keys.find((name) => env[name] !== undefined && env[name] !== '')
}

function checkedUrl(command: string, text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '')
  throw usage(
    command,
    `--base-url must be the address of a server, such as http://127.0.0.1:11434/v1, not ${JSON.stringify(text.slice(0, 60))}`,
  )
}
