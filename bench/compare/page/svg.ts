/** Text escaped for a page, because a session or a package may have any name. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** An element with its attributes, and what is in it. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[] | string = [],
): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escaped(value)}"`)
    .join('')
  return `<${name}${written}>${typeof inside === 'string' ? escaped(inside) : inside.join('')}</${name}>`
}

/** A line through points. */
export function path(points: readonly (readonly [number, number])[], className: string): string {
  const d = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
  return element('path', { d, class: className, fill: 'none' })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** From a value to a place: in equal steps, or in equal factors. */
export type Scale = (value: number) => number

export function linear([from, to]: Range, [start, end]: Range): Scale {
  return (value) => start + ((value - from) / (to - from)) * (end - start)
}

export function logarithmic([from, to]: Range, places: Range): Scale {
  const scale = linear([Math.log(from), Math.log(to)], places)
  return (value) => scale(Math.log(Math.min(Math.max(value, from), to)))
}

export type Range = readonly [number, number]
