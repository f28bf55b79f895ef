import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fieldsOf, textOf } from '../../body/json.ts'
import { jsonFile } from '../configured.ts'
import type { RunClient } from '../run-client.ts'

/** An extension for this run alone names other addresses for its providers. */
export const pi: RunClient = {
  name: 'pi',
  commands: ['pi'],
  logins: [
    { login: 'a provider of your own in models.json', works: 'yes', lost: 'nothing' },
    {
      login: 'an API key of Anthropic, OpenAI or Google',
      works: 'not tried',
      lost: 'nothing known',
    },
    { login: 'a plan', works: 'not tried', lost: 'what the plan serves only to its own address' },
  ],
  installs: true,
  settings: {},
  check:
    'its model is of Anthropic, OpenAI or Google, or of a provider with a baseUrl in models.json',
  async point({ url, env, home, folder }) {
    const own = env['PI_CODING_AGENT_DIR'] ?? join(home, '.pi', 'agent')
    const models = await jsonFile(join(own, 'models.json'))
    const routes: Record<string, string> = {}
    const bases: Record<string, string> = {
      anthropic: url,
      openai: `${url}/v1`,
      google: `${url}/v1beta`,
    }
    for (const [name, said] of Object.entries(fieldsOf(models['providers']) ?? {})) {
      const base = textOf(fieldsOf(said)?.['baseUrl'])
      if (base === undefined) continue
      const route = `pi-${encodeURIComponent(name)}`
      routes[route] = base
      bases[name] = `${url}/~${route}`
    }
    const file = join(folder, 'throughline-run.mjs')
    const calls = Object.entries(bases).map(
      ([name, baseUrl]) =>
        `  pi.registerProvider(${JSON.stringify(name)}, ${JSON.stringify({ baseUrl })})`,
    )
    await writeFile(file, `export default function (pi) {\n${calls.join('\n')}\n}\n`)
    return { env: {}, args: ['--extension', file], upstreams: {}, routes }
  },
}
