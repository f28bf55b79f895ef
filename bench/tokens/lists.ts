import { createHash } from 'node:crypto'

/** Texts that agents see often and readers rarely: names, paths, numbers, encodings. */
export function lists(paths: readonly string[], sources: string): Record<string, string> {
  const names = [...new Set(sources.match(/\b[A-Za-z_$][\w$]{3,30}\b/g) ?? [])]
  const compound = names.filter((name) => /[a-z][A-Z]|_/.test(name))
  const pick = picker()
  const some = (least: number, most: number): string =>
    times(least + (pick(most - least + 1) % (most - least + 1)), () => at(compound, pick)).join(
      ', ',
    )
  return {
    paths: times(4_000, () => at(paths, pick)).join('\n'),
    identifiers: times(8_000, () => at(names, pick)).join(', '),
    'paths with identifiers': times(3_000, () => `- ${at(paths, pick)}: ${some(1, 6)}`).join('\n'),
    logs: times(2_000, (index) => logLine(index, pick, at(names, pick))).join('\n'),
    'stack traces': times(2_000, () => {
      const place = `${at(paths, pick)}:${pick(900)}:${pick(80)}`
      return `    at ${at(compound, pick)} (${place})`
    }).join('\n'),
    numbers: times(4_000, (index) => `${index},${pick(1e4) / 100},${pick(1e6)}`).join('\n'),
    base64: times(2_000, (index) => digest(index, 'base64')).join(''),
    hex: times(2_000, (index) => digest(index, 'hex')).join('\n'),
    uuid: times(4_000, (index) =>
      digest(index, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5'),
    ).join('\n'),
  }
}

function logLine(index: number, pick: (below: number) => number, name: string): string {
  const time = new Date(1_760_000_000_000 + index * 12_345).toISOString()
  const level = ['INFO', 'WARN', 'ERROR', 'DEBUG'][pick(4)]
  const id = digest(index, 'hex').slice(0, 12)
  return `${time} ${level} [${name}] request ${id} took ${pick(2_000)}ms status=${200 + pick(4) * 100}`
}

function digest(index: number, encoding: 'base64' | 'hex'): string {
  return createHash('sha512').update(`text ${index}`).digest(encoding)
}

function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function at(items: readonly string[], pick: (below: number) => number): string {
  return items[pick(items.length)] ?? ''
}

/** Numbers that look random but are the same in every run. */
function picker(): (below: number) => number {
  let state = 12_345
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
}
