import { countDeadJobs } from '../../../operator/queries/operator-store.ts'
import {
  codeColumn,
  figureColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import type { Section } from '../../section.ts'
import { serviceCommands } from '../../../operator/commands/service/service.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof serviceCommands.jobsList>[number]

export const jobs: Section<Line> = {
  path: 'jobs',
  title: 'Jobs',
  about: 'What is done later. A job that failed too often is dead: mend the cause, then retry it.',
  waits: 'Dead jobs',
  count: ({ db }) => countDeadJobs(db.read),
  isTrouble: true,
  idOf: ({ jobId }) => jobId,
  list: {
    command: serviceCommands.jobsList,
    caption: 'Jobs',
    byPlatform: true,
    views: [
      { name: 'dead', title: 'Dead' },
      { name: 'waiting', title: 'Waiting', options: { waiting: true } },
    ],
    columns: [
      textColumn('Job', 'name'),
      PLATFORM_COLUMN,
      timeColumn('Due', 'dueAt'),
      figureColumn('Attempts', 'attempts'),
      textColumn('Last error', 'lastError'),
    ],
    empty: 'No job is here.',
    limit: 100,
  },
  detail: {
    command: serviceCommands.jobsShow,
    title: ({ name }) => `Job ${name}`,
    facts: [
      statusColumn('State', 'state'),
      PLATFORM_COLUMN,
      timeColumn('Due', 'dueAt'),
      figureColumn('Attempts', 'attempts'),
      codeColumn('Id', 'jobId'),
      codeColumn('Last error', 'lastError'),
    ],
    actions: [
      {
        name: 'retry',
        label: 'Retry',
        command: serviceCommands.jobsRetry,
        tone: 'good',
        about: 'It runs again as soon as it is due; its count of attempts starts at zero.',
        done: 'The job runs again.',
      },
    ],
  },
}
