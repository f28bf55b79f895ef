import type { SaidPart, ServedRequest } from 'throughline/testing/provider'

/** A client's description of a tool: the arguments that it takes, if given, and requires. */
interface OfferedTool {
  takes: readonly string[] | undefined
  needs: readonly string[]
}

/** What is wrong with the calls in a request, given the tools that the model may call in it. */
export function callProblems({ body, said }: ServedRequest): string[] {
  const offered = offeredTools(body['tools'])
  return said.flatMap((part) => (part.type === 'call' ? problemsOf(part, offered) : []))
}

function problemsOf(
  { name, input }: Extract<SaidPart, { type: 'call' }>,
  offered: ReadonlyMap<string, OfferedTool>,
): string[] {
  const tool = offered.get(name)
  if (!tool) return [`it is said to have called ${name}, which it may not call`]
  const given = Object.keys(fieldsOf(input) ?? {})
  const { takes = given, needs } = tool
  return [
    ...needs.filter((field) => !given.includes(field)).map((field) => `${name} requires ${field}`),
    ...given
      .filter((field) => !takes.includes(field))
      .map((field) => `${name} does not take ${field}`),
  ]
}

/**
 * The tools of a request, whatever its API: objects with a name, and usually a schema next to it.
 */
function offeredTools(value: unknown): Map<string, OfferedTool> {
  const offered = new Map<string, OfferedTool>()
  const walk = (each: unknown): void => {
    if (Array.isArray(each)) return each.forEach(walk)
    const fields = fieldsOf(each)
    if (!fields) return
    const { name } = fields
    if (typeof name === 'string') offered.set(name, toolOf(fields))
    else Object.values(fields).forEach(walk)
  }
  walk(value)
  return offered
}

function toolOf(fields: Record<string, unknown>): OfferedTool {
  const names = ['input_schema', 'parameters', 'parametersJsonSchema']
  const schema = names.map((name) => fieldsOf(fields[name])).find((each) => each !== undefined)
  const properties = fieldsOf(schema?.['properties'])
  const needs = schema?.['required']
  return {
    takes: properties && Object.keys(properties),
    needs: Array.isArray(needs) ? needs.filter((each) => typeof each === 'string') : [],
  }
}

function fieldsOf(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : undefined
}
