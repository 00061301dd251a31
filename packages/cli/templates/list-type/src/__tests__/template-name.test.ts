import { describeStatusListType } from '@vidimus/status-list-testing'
import { TemplateName } from '../template-name.js'

// Give `vectors` from your specification: the kit cannot know the lists of others.
describeStatusListType(TemplateName)
