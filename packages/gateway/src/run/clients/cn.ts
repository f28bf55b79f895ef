import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isAlias, isScalar, parseDocument, visit, type Document } from 'yaml'
import { RunFailedError, type Place, type Pointed, type RunClient } from '../run-client.ts'

/** It knows no variable: it gets a copy of its configuration, with other addresses. */
export const cn: RunClient = {
  name: 'cn',
  commands: ['cn'],
  logins: [
    {
      login: 'a model with an apiBase in config.yaml, or in the file of --config',
      works: 'yes',
      lost: 'nothing known',
    },
    {
      login: 'an API key of Anthropic, OpenAI or Google',
      works: 'not tried',
      lost: 'nothing known',
    },
    { login: 'a Continue account', works: 'no', lost: 'its requests bypass the gateway' },
  ],
  installs: false,
  settings: {},
  check:
    'its model is in ~/.continue/config.yaml, or in the file of --config, with an apiBase or with an API key of Anthropic, OpenAI or Google',
  async point(place) {
    const { args, env, home, directory } = place
    const asked = configIn(args)
    if (asked === undefined) {
      const own = join(env['CONTINUE_GLOBAL_DIR'] || join(home, '.continue'), 'config.yaml')
      const copied = await copyOf(own, place)
      // It can do more than ask a model: the end says so if nothing came.
      if ('problem' in copied) return { env: {}, args: [], upstreams: {}, routes: {} }
      return { env: {}, args: ['--config', copied.copy], upstreams: {}, routes: copied.routes }
    }
    const copied = isFile(asked)
      ? await copyOf(resolve(directory, asked.replace(/^~(?=[/\\]|$)/, home)), place)
      : { problem: 'names an agent of a Continue account, whose requests bypass the gateway' }
    if ('problem' in copied) {
      throw new RunFailedError(
        `--config ${asked} ${copied.problem}: nothing was started. Give cn a file in which a model has an apiBase, or start it without throughline run.`,
      )
    }
    const own = withConfig(args, copied.copy)
    return { env: {}, args: [], own, upstreams: {}, routes: copied.routes }
  },
}

/** Writes a copy with the gateway’s addresses, or says what is in the way. */
async function copyOf(
  file: string,
  place: Place,
): Promise<{ copy: string; routes: Pointed['routes'] } | { problem: string }> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return { problem: 'cannot be read' }
  // JSON is YAML, too.
  const config = parseDocument(text)
  if (config.errors.length > 0) return { problem: 'is not the YAML or JSON that cn reads' }
  const routes = pointTo(place.url, config)
  const isPointed = nameUsual(place.url, config) || Object.keys(routes).length > 0
  if (!isPointed) return { problem: 'has no model that can be sent to the gateway' }
  keepFiles(config, dirname(file), place.directory)
  const copy = join(place.folder, 'config.yaml')
  await writeFile(copy, config.toString({ lineWidth: 0 }), { mode: 0o600 })
  return { copy, routes }
}

/** Replaces every address that it names, and returns where they went. */
function pointTo(url: string, config: Document): Pointed['routes'] {
  const routes: Record<string, string> = {}
  visit(config, {
    Pair(_, pair) {
      if (!isScalar(pair.key) || pair.key.value !== 'apiBase') return
      const value = isAlias(pair.value) ? pair.value.resolve(config) : pair.value
      const base = isScalar(value) ? value.value : undefined
      // What only the client can fill in stays as it is, and so does what was pointed before.
      if (
        typeof base !== 'string' ||
        !/^https?:\/\/(?!.*\$\{\{)/i.test(base) ||
        base.startsWith(url)
      )
        return
      const route = `cn-${Object.keys(routes).length + 1}`
      routes[route] = base
      const pointed = `${url}/~${route}${base.endsWith('/') ? '/' : ''}`
      if (isScalar(pair.value)) pair.value.value = pointed
      else pair.value = config.createNode(pointed)
    },
  })
  return routes
}

const usualEnds: Readonly<Record<string, string>> = {
  anthropic: '/v1/',
  openai: '/v1/',
  gemini: '/v1beta/',
}

/** Names an address for models that have none; `false` if there are no such models. */
function nameUsual(url: string, config: Document): boolean {
  let isNamed = false
  visit(config, {
    Map(_, map) {
      const end = usualEnds[String(map.get('provider'))]
      if (end === undefined || !map.has('model') || map.has('apiBase')) return
      map.set('apiBase', `${url}${end}`)
      isNamed = true
    },
  })
  return isNamed
}

/** A file beside the configuration is found from the copy as well. */
function keepFiles(config: Document, beside: string, directory: string): void {
  visit(config, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'uses' || !isScalar(value)) return
      const [, file] = /^(?:file:\/\/)?(\..*)$/.exec(String(value.value)) ?? []
      if (file === undefined || existsSync(resolve(directory, file))) return
      value.value = join(beside, file)
    },
  })
}

/** The value of `--config`: the last one counts. */
function configIn(args: readonly string[]): string | undefined {
  const values: string[] = []
  eachConfig(args, (value) => {
    values.push(value)
    return value
  })
  return values.at(-1)
}

function withConfig(args: readonly string[], copy: string): string[] {
  return eachConfig(args, () => copy)
}

/** Its arguments, with another value for each `--config`. */
function eachConfig(args: readonly string[], valueOf: (value: string) => string): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return args.map((arg, at) => {
    if (at > 0 && at < end && args[at - 1] === '--config') return valueOf(arg)
    if (at < end && arg.startsWith('--config=')) return `--config=${valueOf(arg.slice(9))}`
    return arg
  })
}

/** As it tells a file from the name of an agent. */
function isFile(config: string): boolean {
  return /^[./~]|^[a-z]:[/\\]|^\\\\|\.ya?ml|\.json/i.test(config)
}
