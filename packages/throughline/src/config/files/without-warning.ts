/** Does work during which Node does not print one kind of warning. */
export async function withoutWarning<Result>(
  code: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { emitWarning } = process
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]): void => {
    const [options] = rest
    const known = typeof options === 'object' && options !== null && 'code' in options
    if (!known || options.code !== code) Reflect.apply(emitWarning, process, [warning, ...rest])
  }) as typeof emitWarning
  try {
    return await work()
  } finally {
    process.emitWarning = emitWarning
  }
}
