import { usage } from '../parse-arguments.ts'
import { parseTokens } from '../../tokens/windows.ts'

/** The value of an option that takes a number of tokens. */
export function tokenOption(
  command: string,
  option: string,
  value: string | undefined,
): number | undefined {
  if (value === undefined) return undefined
  const tokens = parseTokens(value)
  if (tokens !== undefined) return tokens
  throw usage(
    command,
    `--${option} must be a number of tokens, such as 8000, 32k or 1m, not ${JSON.stringify(value)}`,
  )
}
