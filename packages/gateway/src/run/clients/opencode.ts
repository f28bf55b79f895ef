import { dirname, join } from 'node:path'
import { fieldsOf, textOf, type Fields } from '../../body/json.ts'
import { jsonFile } from '../configured.ts'
import type { Place, Pointed, RunClient } from '../run-client.ts'

export const opencode: RunClient = {
  name: 'opencode',
  commands: ['opencode'],
  logins: [
    {
      login: 'a provider of your own in opencode.json',
      works: 'yes',
      lost: 'its meter: the gateway reports at most 8k tokens to it, so that it does not compact by itself',
    },
    { login: 'an API key of Anthropic, OpenAI or Google', works: 'not tried', lost: 'the same' },
    { login: 'opencode’s own subscription', works: 'no', lost: 'its requests bypass the gateway' },
  ],
  installs: true,
  // It compacts by what is reported to it, without an end where that stays too much.
  settings: { when: 'before', mostUsage: 8_000 },
  check:
    'its model is of Anthropic, OpenAI or Google, or of a provider with a baseURL in opencode.json',
  async point(place): Promise<Pointed> {
    const configs = await Promise.all(configFiles(place).map((file) => jsonFile(file)))
    const given = place.env['OPENCODE_CONFIG_CONTENT']
    const inline = given === undefined ? {} : parsed(given)
    const routes: Record<string, string> = {}
    const provider: Record<string, unknown> = {
      anthropic: to(`${place.url}/v1`),
      openai: to(`${place.url}/v1`),
      google: to(`${place.url}/v1beta`),
    }
    for (const config of [...configs, inline]) {
      for (const [name, said] of Object.entries(fieldsOf(config['provider']) ?? {})) {
        const base = textOf(fieldsOf(fieldsOf(said)?.['options'])?.['baseURL'])
        if (base === undefined) continue
        const route = `opencode-${encodeURIComponent(name)}`
        routes[route] = base
        provider[name] = to(`${place.url}/~${route}`)
      }
    }
    const content = { ...inline, provider: merged(fieldsOf(inline['provider']) ?? {}, provider) }
    return {
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(content) },
      args: [],
      upstreams: {},
      routes,
    }
  },
}

function to(baseURL: string): Fields {
  return { options: { baseURL } }
}

function merged(own: Fields, pointed: Fields): Fields {
  const names = new Set([...Object.keys(own), ...Object.keys(pointed)])
  return Object.fromEntries(
    [...names].map((name) => {
      const before = fieldsOf(own[name]) ?? {}
      const options = {
        ...fieldsOf(before['options']),
        ...fieldsOf(fieldsOf(pointed[name])?.['options']),
      }
      return [name, { ...before, options }]
    }),
  )
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text)) ?? {}
  } catch {
    return {}
  }
}

/** Where it looks for its configuration, what counts less first. */
function configFiles({ env, home, directory }: Place): string[] {
  const own = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode')
  const named = env['OPENCODE_CONFIG']
  const above: string[] = []
  for (let at = directory; ; at = dirname(at)) {
    above.unshift(at, join(at, '.opencode'))
    if (dirname(at) === at) break
  }
  const folders = [own, ...above]
  return [
    ...folders.flatMap((folder) =>
      ['config.json', 'opencode.json', 'opencode.jsonc'].map((file) => join(folder, file)),
    ),
    ...(named === undefined ? [] : [named]),
  ]
}
