import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunClient } from '../run-client.ts'

const address = /^(\s*(?:-\s+)?apiBase:\s*)(["']?)(\S+?)\2\s*$/gm

/** It knows no variable: it gets a copy of its configuration, with other addresses. */
export const cn: RunClient = {
  name: 'cn',
  commands: ['cn'],
  logins: [
    { login: 'a model with an apiBase in config.yaml', works: 'not tried', lost: 'nothing known' },
    { login: 'a Continue account', works: 'no', lost: 'its requests bypass the gateway' },
  ],
  installs: false,
  settings: {},
  async point({ url, args, home, folder }) {
    const place = args.indexOf('--config')
    const file = args[place + 1]
    const from = place >= 0 && file !== undefined ? file : join(home, '.continue', 'config.yaml')
    const text = await readFile(from, 'utf8').catch(() => '')
    const routes: Record<string, string> = {}
    const pointed = text.replace(address, (_, before: string, __: string, base: string) => {
      const route = `cn-${Object.keys(routes).length + 1}`
      routes[route] = base
      return `${before}${url}/~${route}`
    })
    if (Object.keys(routes).length === 0) return { env: {}, args: [], upstreams: {}, routes }
    const copy = join(folder, 'config.yaml')
    await writeFile(copy, pointed, { mode: 0o600 })
    return { env: {}, args: ['--config', copy], upstreams: {}, routes }
  },
}
