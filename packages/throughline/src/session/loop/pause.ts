/** Lets all other pending work run first. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
