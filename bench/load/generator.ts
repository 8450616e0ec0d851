// The process that generates the load: does one job after the other and answers with its result.

import type { Acknowledged } from '../../tests/support/answers.ts'
import { serveJobs } from '../helper.ts'
import { type CrowdOptions, LoadCrowd, type Run } from './crowd.ts'

/** The jobs of the generator; a crowd stays, and keeps its cookies, until the process ends. */
export type Job =
  | ({ act: 'gather' } & CrowdOptions)
  | { act: 'peak'; seconds: number }
  | { act: 'steady'; rate: number; seconds: number }

/** The result of a job. */
export interface Done {
  readonly run: Run | null
  readonly acknowledged: readonly Acknowledged[]
}

let crowd: LoadCrowd | undefined

async function work(job: Job): Promise<Run | null> {
  if (job.act === 'gather') {
    crowd = await LoadCrowd.gather(job)
    return null
  }
  if (!crowd) throw new Error('Nobody has been gathered')
  return job.act === 'peak' ? crowd.peak(job.seconds) : crowd.steady(job.rate, job.seconds)
}

serveJobs<Job, Done>(async job => {
  const run = await work(job)
  return { run, acknowledged: crowd?.takeAcknowledged() ?? [] }
})
