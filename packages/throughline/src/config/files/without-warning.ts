/** Does work during which Node prints no warning that begins with this text. */
export async function withoutWarning<Result>(
  beginning: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { emitWarning } = process
  process.emitWarning = ((...given: Parameters<typeof emitWarning>): void => {
    if (!String(given[0]).startsWith(beginning)) emitWarning(...given)
  }) as typeof emitWarning
  try {
    return await work()
  } finally {
    process.emitWarning = emitWarning
  }
}
