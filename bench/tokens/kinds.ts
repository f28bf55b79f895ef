import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lists } from './lists.ts'
import { prose } from './prose.ts'

export interface Kind {
  name: string
  text: string
  /** Whether the estimator's weights were fitted to text of this very source. */
  fitted: boolean
}

const root = join(import.meta.dirname, '../..')
const modules = join(root, 'node_modules')
const corpus = join(root, '../shared/corpus')
const longest = 1_500_000

/** Texts of every kind that a session holds, the same in every run. */
export function kindsOfText(): Kind[] {
  const typescript = gathered('zod/src/v4/**/*.ts', (path) => !path.includes('locales'))
  const javascript = gathered('{vitest,fast-check,marked}/**/*.js')
  const files: Kind[] = [
    kind('typescript', typescript, true),
    kind('javascript', javascript),
    kind('declarations', gathered('{@types/node,vite}/**/*.d.ts')),
    kind('markdown', gathered('*/{README,CHANGELOG}.md')),
    kind('json', gathered('{highlight.js,@types/*,vite,vitest,zod}/package.json')),
    kind('lockfile', readFileSync(join(root, 'package-lock.json'), 'utf8'), true),
  ]
  const written = lists(somePaths(), typescript + javascript)
  return [
    ...sessions(),
    ...files,
    ...Object.entries(written).map(([name, text]) => kind(name, text)),
    ...Object.entries(prose).map(([name, text]) => kind(name, text)),
  ].filter(({ text }) => text.length > 0)
}

/** Paths of every package here, at most forty each. */
function somePaths(): string[] {
  const byPackage = new Map<string, string[]>()
  for (const path of globSync('**/*.{ts,js,json,md}', { cwd: modules }).sort()) {
    const name = path.split('/', 2).join('/')
    const paths = byPackage.get(name) ?? []
    if (paths.push(path) <= 40) byPackage.set(name, paths)
  }
  return [...byPackage.values()].flat()
}

function kind(name: string, text: string, fitted = false): Kind {
  return { name, text: text.slice(0, longest), fitted }
}

function gathered(pattern: string, wanted: (path: string) => boolean = () => true): string {
  const paths = globSync(pattern, { cwd: modules }).filter(wanted).sort()
  return paths.map((path) => read(join(modules, path)).slice(0, 100_000)).join('\n')
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}

// Sessions of these harnesses were kept back when the weights were fitted.
const keptBack = new Set(['gemini-cli', 'openai-chat', 'openhands', 'swe-agent'])

/** What the models of real sessions saw, if the corpus is available. */
function sessions(): Kind[] {
  if (!existsSync(corpus)) return []
  const harnesses = readdirSync(corpus, { withFileTypes: true }).filter((item) =>
    item.isDirectory(),
  )
  return harnesses.map(({ name }) => {
    const folder = join(corpus, name)
    const texts = readdirSync(folder).flatMap((file) => textsOf(read(join(folder, file))))
    return kind(`${name} session`, [...new Set(texts)].join('\n'), !keptBack.has(name))
  })
}

function textsOf(content: string): string[] {
  const texts: string[] = []
  const walk = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (isRead(value, key)) texts.push(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) walk(item, name)
    }
  }
  for (const value of jsonValues(content)) walk(value, '')
  return texts
}

/** Long enough to be content, and neither an image nor an encrypted block. */
function isRead(text: string, key: string): boolean {
  if (text.length < 40 || /encrypted|signature/i.test(key)) return false
  return text.length < 500 || /\s/.test(text.slice(0, 400))
}

function jsonValues(content: string): unknown[] {
  try {
    return [JSON.parse(content)]
  } catch {
    return content.split('\n').flatMap((line): unknown[] => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
  }
}
