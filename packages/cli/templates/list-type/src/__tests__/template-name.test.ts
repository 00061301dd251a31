import { describeStatusListType } from '@vidimus/status-list-testing'
import { TemplateName } from '../template-name.js'

// Give `vectors` from your specification: what the kit cannot know are lists that others made.
describeStatusListType(TemplateName)
