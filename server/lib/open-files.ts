const UNLIMITED = 1_000_000

/** The number of files that this process may open. */
export const MAX_OPEN_FILES = maxOpenFiles()

function maxOpenFiles(): number {
  // Call once, because the report takes 40 ms.
  const { userLimits }: { userLimits?: { open_files?: { soft?: number | string } } } =
    process.report.getReport()
  const soft = Number(userLimits?.open_files?.soft)
  return Number.isInteger(soft) ? soft : UNLIMITED
}
