import { join } from 'node:path'
import { fieldsOf, textOf } from '../../body/json.ts'
import { jsonFile, tomlFile } from '../configured.ts'
import type { Place, Pointed, RunClient } from '../run-client.ts'

const chatgpt = 'https://chatgpt.com/backend-api/codex'
const api = 'https://api.openai.com/v1'

export const codex: RunClient = {
  name: 'codex',
  commands: ['codex'],
  logins: [
    { login: 'a provider of your own in config.toml', works: 'yes', lost: 'nothing' },
    {
      login: 'an API key',
      works: 'not tried',
      lost: 'old sessions, which its picker hides, and WebSockets: it uses plain requests',
    },
    {
      login: 'a ChatGPT plan',
      works: 'not tried',
      lost: 'as with an API key, and what the plan serves only to its own address',
    },
  ],
  installs: true,
  settings: {},
  check: 'no profile and no -c of your own names another provider or another base_url',
  async point(place): Promise<Pointed> {
    const home = place.env['CODEX_HOME'] ?? join(place.home, '.codex')
    const config = await tomlFile(join(home, 'config.toml'))
    const name = askedFor(place) ?? textOf(config['model_provider']) ?? 'openai'
    const provider = fieldsOf(fieldsOf(config['model_providers'])?.[name])
    const base = textOf(provider?.['base_url'])
    if (base !== undefined) {
      const args = ['-c', `model_providers.${name}.base_url="${place.url}/~codex"`]
      return { env: {}, args, upstreams: {}, routes: { codex: base } }
    }
    const auth = await jsonFile(join(home, 'auth.json'))
    const isPlan = fieldsOf(auth['tokens']) !== undefined && !place.env['OPENAI_API_KEY']
    const own = {
      name: '"OpenAI"',
      base_url: `"${place.url}/~codex"`,
      wire_api: '"responses"',
      requires_openai_auth: 'true',
      supports_websockets: 'false',
    }
    return {
      env: {},
      args: [
        '-c',
        'model_provider="throughline"',
        ...Object.entries(own).flatMap(([key, value]) => [
          '-c',
          `model_providers.throughline.${key}=${value}`,
        ]),
      ],
      upstreams: {},
      routes: { codex: isPlan ? chatgpt : (place.env['OPENAI_BASE_URL'] ?? api) },
    }
  },
}

/** The provider that its own arguments name. */
function askedFor({ args }: Place): string | undefined {
  for (const arg of args) {
    const [, name] = /^(?:-c|--config=)?model_provider=["']?([\w-]+)["']?$/.exec(arg) ?? []
    if (name !== undefined) return name
  }
  return undefined
}
