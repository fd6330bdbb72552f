package permission_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flows say which tests play the courses of events in testdata/flows.jsonl.
// Those of a host's own making, such as a resumed session, are played as far as
// this library has a part in them.
var flows = map[string]string{
	"flow-ask-01": "TestTheHookFailsClosed",
	"flow-ask-02": "TestTheHookFailsClosed",
	"flow-ask-03": "TestOnceIsOnce approve.TestOnceIsForOneCall",
	"flow-ask-04": "TestAlwaysGrantsExactlyWhatWasShown approve.TestAlwaysIsForTheSession",
	"flow-ask-05": "TestAlwaysSettlesWhatWaitsAndIsCovered approve.TestAlwaysSettlesWhatWaitsAndIsCovered",
	"flow-ask-06": "TestAlwaysSettlesWhatWaitsAndIsCovered approve.TestAlwaysIsForTheSession",
	"flow-ask-07": "approve.TestRejectEndsTheOtherRequestsOfTheSession approve.TestRejectMayLeaveTheOthersWaiting",
	"flow-ask-08": "approve.TestWhatAPersonSaysReachesTheModel",
	"flow-ask-09": "approve.TestAReplyToNothing",
	"flow-ask-10": "approve.TestTheFirstReplyWins",
	"flow-ask-11": "approve.TestTheFirstReplyWins",
	"flow-ask-12": "approve.TestManyReplyAtTheSameTime",
	"flow-ask-13": "TestEndSessionEndsWhatWaits approve.TestTheEndOfASessionEndsItsRequests",
	"flow-ask-14": "approve.TestACancelledCallIsNotAskedAboutAnyMore",
	"flow-ask-15": "TestNobodyAnswersInTime approve.TestNobodyAnswers",
	"flow-ask-16": "approve.TestNobodyAnswers",
	"flow-ask-17": "approve.TestNobodyAnswers",
	"flow-ask-18": "approve.TestNobodyAnswers",
	"flow-ask-19": "TestAlwaysGrantsExactlyWhatWasShown",
	"flow-ask-20": "TestAlwaysGrantsExactlyWhatWasShown",
	"flow-ask-21": "TestAlwaysGrantsExactlyWhatWasShown",
	"flow-ask-22": "TestAlwaysGrantsExactlyWhatWasShown",
	"flow-ask-23": "TestAlwaysGrantsExactlyWhatWasShown",
	"flow-ask-24": "TestAlwaysGrantsExactlyWhatWasShown",
	"flow-ask-25": "TestAGrantNeverOverridesARefusal",
	"flow-ask-26": "approve.TestCallsOfOneMessageAreAnsweredInAnyOrder",
	"flow-ask-27": "approve.TestOneDialogAtATime approve.TestRequestsWaitInOrder",
	"flow-ask-30": "approve.TestNobodyLooks",
	"flow-ask-31": "TestTheHookFailsClosed",
	"flow-ask-32": "TestTheHookFailsClosed",
	"flow-ask-33": "TestTheApproverSeesWhatItIsAskedFor",
	"flow-ask-34": "TestOnDecisionIsToldOfEveryCallAndOfNoArgument TestRefusedCallsLeaveNothingBehind",

	"flow-hook-01": "permissiontest.TestRuntimesThatKeepTheContract permissiontest.TestBrokenRuntimes",
	"flow-hook-03": "TestHooksThatWereNotMadeRefuse",
	"flow-hook-04": "TestHooksThatWereNotMadeRefuse TestTheHookFailsClosed",
	"flow-hook-05": "permissiontest.TestRuntimesThatKeepTheContract permissiontest.TestBrokenRuntimes",
	"flow-hook-06": "permissiontest.TestRuntimesThatKeepTheContract permissiontest.TestBrokenRuntimes",
	"flow-hook-07": "permissiontest.TestRuntimesThatKeepTheContract permissiontest.TestBrokenRuntimes",
	"flow-hook-09": "permissiontest.TestRuntimesThatKeepTheContract permissiontest.TestBrokenRuntimes",
	"flow-hook-10": "TestARestrictionIsItsContexts",
	"flow-hook-11": "TestTheZeroValueRefuses",

	"flow-res-01": "TestARefusedCallGetsOneErrorResult",
	"flow-res-02": "TestRunAllAnswersEveryCallInOrder",
	"flow-res-03": "TestWrapRunsTheJudgedCall",
	"flow-res-04": "TestRunAllAnswersEveryCallInOrder approve.TestACancelledCallIsNotAskedAboutAnyMore",
	"flow-res-05": "approve.TestACancelledCallIsNotAskedAboutAnyMore",
	"flow-res-06": "TestARefusedCallGetsOneErrorResult",
	"flow-res-07": "TestRunAllAnswersEveryCallInOrder",
	"flow-res-08": "TestRefusalTextsAreBoundedAndPlain",
	"flow-res-09": "TestRefusedCallsLeaveNothingBehind",
	"flow-res-10": "TestDeniesAllIsTrueOnlyWhereNothingPasses",

	"flow-eng-01": "TestNewHookWantsAnApproverForWrittenAsks",
	"flow-eng-02": "TestSwapWhileCallsAreJudged",
	"flow-eng-03": "TestAuthorizeJudgesTheSubjectsThatItIsGiven",
	"flow-eng-04": "TestManyStarsOverALongText",
	"flow-eng-05": "TestTheZeroValueRefuses",

	"flow-skill-01": "TestARefusalNamesTheSkillAndItsList",
	"flow-skill-02": "TestASkillNeverGrants",
	"flow-skill-03": "TestASkillNeverGrants",
	"flow-skill-04": "TestARestrictionIsItsContexts",
	"flow-skill-05": "TestSkillsInOneAnotherMustAgree",
	"flow-skill-06": "TestASkillNeverGrants",
	"flow-skill-07": "TestAllFaultsOfASkillAreToldInOrder",
	"flow-skill-08": "TestTheZeroSkillRunsNothing",
	"flow-skill-09": "TestARestrictionIsItsContexts",
	"flow-skill-10": "TestASkillRestricts",
	"flow-skill-11": "TestASkillRestricts",
	"flow-skill-12": "TestARefusalNamesTheSkillAndItsList",
	"flow-skill-13": "TestARestrictionIsItsContexts",
	"flow-skill-14": "TestARestrictionIsItsContexts",
}

// Every course of events is played by a test that is there.
func TestFlowsArePlayed(t *testing.T) {
	there := make(map[string]bool)
	for _, dir := range []string{".", "approve", "permissiontest"} {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		require.NoError(t, err)
		for _, name := range files {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(src), -1) {
				there[strings.TrimPrefix(dir+".", "..")+m[1]] = true
			}
		}
	}
	cases := readCases(t, "flows.jsonl")
	for _, c := range cases {
		require.NotNil(t, c.Flow, c.ID)
		assert.NotEmpty(t, flows[c.ID], "nothing plays %s: %s", c.ID, c.Flow.Scenario)
		for name := range strings.FieldsSeq(flows[c.ID]) {
			assert.True(t, there[name], "%s: there is no %s", c.ID, name)
		}
	}
	assert.Len(t, flows, len(cases))
}
