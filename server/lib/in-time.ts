/**
 * Waits for something, though not for longer than a time.
 *
 * @param late makes what is thrown when the time has passed; what was waited for goes on, and nobody hears of its end
 * @throws whatever `work` throws, or what `late` makes
 */
export async function inTime<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  late: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
