import { readFileSync } from 'node:fs'
import { Session, type Profiler } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

/** What some work spends its time on. */
export interface Share {
  /** A folder or a file of the source, or what the engine of JavaScript does itself. */
  where: string
  /** Of the time of the work, from 0 to 1. */
  share: number
}

const interval = 200

/** Profiles this thread while `work` runs: the shares of the rooms of the source, the largest first. */
export async function profileOf(work: () => Promise<unknown>): Promise<Share[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return sharesOf(profile)
}

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Share[] {
  const places = new Map(nodes.map((node) => [node.id, placeOf(node)]))
  const times = new Map<string, number>()
  let all = 0
  for (const [at, node] of samples.entries()) {
    const place = places.get(node)
    const took = timeDeltas[at] ?? 0
    if (place === undefined) continue
    times.set(place, (times.get(place) ?? 0) + took)
    all += took
  }
  return [...times]
    .map(([where, took]) => ({ where, share: took / all }))
    .toSorted((one, other) => other.share - one.share)
}

const isDone = new Set(['(idle)', '(program)', '(root)'])

/** Where the code of a node comes from; nowhere, where it is of the bench itself or waits. */
function placeOf({
  callFrame: { functionName, url, lineNumber },
}: Profiler.ProfileNode): string | undefined {
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (isDone.has(functionName) || url.startsWith('node:')) return undefined
  if (url === '') return 'functions of JavaScript itself'
  if (!url.includes('/throughline/dist/')) return undefined
  const source = sourceAt(url, lineNumber)
  return source?.split('/').slice(0, -1).join('/')
}

const sources = new Map<string, readonly (string | undefined)[]>()

/** The bundler says above each piece of a bundle which file it is from. */
function sourceAt(url: string, line: number): string | undefined {
  let lines = sources.get(url)
  if (!lines) {
    let source: string | undefined
    lines = readFileSync(fileURLToPath(url), 'utf8')
      .split('\n')
      .map((text) => (source = /^\/\/ src\/(\S+)$/.exec(text)?.[1] ?? source))
    sources.set(url, lines)
  }
  return lines[line]
}
