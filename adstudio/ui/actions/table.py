"""Every action in one table: its name, its place in the menus, its keys and a sentence of help.

The keys are the defaults; the describer may bind others (`app/shortcuts_dialog.py`). Single letters are safe: a text
field that has the focus takes them for itself.
"""

from __future__ import annotations

from dataclasses import dataclass

MENUS = {
    "file": "&File",
    "edit": "&Edit",
    "line": "&Line",
    "gap": "&Gap",
    "scene": "&Scene",
    "rule": "R&ules",
    "play": "&Play",
    "hear": "Hea&r",
    "booth": "&Booth",
    "ask": "&Ask",
    "view": "&View",
    "plan": "Pla&n",
    "help": "&Help",
}
"""The titles of the menus by the first part of an action's id. No letter leads to two of them."""


@dataclass(frozen=True)
class Action:
    """One thing that the describer can do.

    `label` is what the menu says, after a bar where a new group begins; `shortcuts` are Qt's portable key names,
    separated by blanks.
    """

    id: str
    label: str
    shortcuts: str
    help: str
    checkable: bool = False

    @property
    def text(self) -> str:
        """What the menu says."""
        return self.label.removeprefix("|")

    @property
    def title(self) -> str:
        """Its text as it is said: without mnemonic and ellipsis."""
        return self.text.replace("&", "").removesuffix("…")

    @property
    def menu(self) -> str:
        """The title of its menu, after the first part of its id."""
        return MENUS[self.id.partition(".")[0]]

    @property
    def keys(self) -> tuple[str, ...]:
        """Its default keys."""
        return tuple(self.shortcuts.split())


ACTIONS: tuple[Action, ...] = (
    # File
    Action("file.new", "&New project…", "Ctrl+N", "Set up a project from a video, or from a length alone."),
    Action("file.open", "&Open project…", "Ctrl+O", "Open an existing project."),
    Action("file.sample", "Open the sa&mple film", "", "Open the sample film with its draft."),
    Action("file.save", "|&Save", "Ctrl+S", "Mark the current state as saved."),
    Action("file.save_as", "Save &as…", "Ctrl+Shift+S", "Continue in a file with another name."),
    Action("file.import", "|Im&port script…", "", "Bring in a finished script; shows first what changes."),
    Action("file.export", "&Export script…", "Ctrl+E", "Write the script as a file to hand in."),
    Action("file.audio", "Export a&udio…", "Ctrl+U", "Mix the narration with the film, or write it by itself."),
    Action("file.keep_version", "|&Keep a version…", "Ctrl+Shift+K", "Keep the script under a name, as it is now."),
    Action("file.compare_versions", "Compare &versions…", "Ctrl+Shift+V", "What has changed since; take lines back."),
    Action("file.compare_reference", "Compare with a re&ference AD…", "", "Plan and reference AD, gap by gap."),
    Action("file.relink", "|Re&link video…", "", "Tell the project where its video is now."),
    Action("file.dialogue", "Replace &dialogue…", "", "Use other subtitles; shows first what changes."),
    Action("file.new_cut", "Ne&w cut…", "", "Follow a new cut of the film; shows first what it did."),
    Action("file.settings", "Project se&ttings…", "Ctrl+Shift+P", "Film, voice, gaps, speaking rate and planning."),
    Action("file.models", "AI serv&ices…", "Shift+F12", "Models you can use, privacy, and what was sent."),
    Action("file.close", "|&Close project", "Ctrl+W", "Return to the welcome page."),
    Action("file.quit", "&Quit", "Ctrl+Q", "Leave adstudio."),
    # Edit
    Action("edit.undo", "&Undo", "Ctrl+Z", "Undo the last action, and the change of plan it caused."),
    Action("edit.redo", "&Redo", "Ctrl+Shift+Z Ctrl+Y", "Redo what was undone."),
    Action("edit.find", "|&Find in the script", "Ctrl+F", "Show only the lines that contain certain words."),
    Action("edit.find_next", "Find &next", "F3", "Go to the next line that has what is looked for."),
    Action("edit.find_previous", "Find pre&vious", "Shift+F3", "Go to the line before that has it."),
    Action("edit.replace", "R&eplace in the script…", "Ctrl+R", "Replace words in many lines, as one step."),
    Action("edit.misspelled", "Next &misspelled word", "F7", "Go to it, and choose what may be meant."),
    Action("edit.select_all", "Select &all lines", "Ctrl+A", "Select every line shown in the table."),
    Action("edit.delete", "|&Delete", "Delete", "Delete the selected lines, silence or narration over dialogue."),
    Action("edit.cast", "|&Characters…", "Ctrl+Shift+C", "Who is in the film: names, pictures, first times."),
    Action("edit.faces", "Faces in t&he film…", "Ctrl+Shift+G", "Who is seen in which shot; name the faces found."),
    Action("edit.speakers", "Who spea&ks…", "Ctrl+T", "The cues by speaker; say who speaks the selected one."),
    Action("edit.find_words", "Find &words in the sound", "", "When each word of the dialogue is spoken."),
    Action("edit.ask_speakers", "Ask a m&odel who speaks", "", "Of cues without a name, by the dialogue around them."),
    Action("edit.find_speakers", "Find speakers &by voice", "", "Carry the names that are known to cues of one voice."),
    Action("edit.preferences", "|&Preferences…", "Ctrl+,", "Theme, planning engine, default voice and keys."),
    # Line
    Action("line.new", "&New line here", "Ctrl+Return Insert", "Write a line at the playhead."),
    Action("line.edit", "&Edit text", "F2", "Edit the wording of the selected line."),
    Action("line.inspect", "Go to the &inspector", "Ctrl+I", "Everything about what is selected."),
    Action("line.keep_in", "|Loc&k in", "P", "The plan must include it."),
    Action("line.keep_out", "Lock &out", "X", "The plan must leave it out."),
    Action("line.free", "&Clear locks", "U", "Remove every lock from it."),
    Action("line.pin_wording", "Lock &wording", "W", "Keep the wording that is spoken now."),
    Action("line.pin_start", "Lock &time", "T", "Keep the start where it is now."),
    Action("line.start_here", "Start at play&head", "Shift+T", "Lock the start at the playhead."),
    Action("line.override", "Allow o&verlap", "Shift+P", "Let it overlap dialogue, or be far from the action."),
    Action("line.accept", "|&Accept", "A", "You have checked it; you are told if the plan changes it later."),
    Action("line.accept_next", "Accept and go to ne&xt", "Shift+A", "Accept it, then go to the next line to accept."),
    Action("line.salience_up", "|&Raise salience", "]", "The story loses more without it."),
    Action("line.salience_down", "&Lower salience", "[", "The story loses less without it."),
    Action("line.wording_next", "|Next wordin&g", "Ctrl+]", "Lock the next shorter wording."),
    Action("line.wording_previous", "Previo&us wording", "Ctrl+[", "Lock the next longer wording."),
    Action("line.wording_add", "A&dd wording", "Ctrl+Shift+N", "Write another wording of the same line."),
    Action("line.wording_length", "Length of wording…", "", "How long the wording takes, where it was measured."),
    Action("line.wording_remove", "Remove wording", "", "Delete this wording of the line; the others stay."),
    Action("line.split", "|&Split…", "S", "Split it into two lines at the cursor."),
    Action("line.merge", "&Merge", "M", "Merge the selected neighbouring lines into one."),
    Action("line.join", "Link with &previous", "B", "Speak it in one breath with the line before.", True),
    Action("line.up", "Move earlier", "Alt+Up", "Swap it with the line before it in the order."),
    Action("line.down", "Move later", "Alt+Down", "Swap it with the line after it in the order."),
    Action("line.happens_from", "|Set action in", "I", "The action starts at the playhead; with no line, mark in."),
    Action("line.happens_to", "Set action out", "O", "The action ends at the playhead; with no line, mark out."),
    Action("line.confirm", "Con&firm time", "C", "The time of the action is right, not a guess."),
    Action("line.not_before", "No spoilers", "Shift+B", "Never speak it before the action.", True),
    Action("line.note", "|Note…", "Ctrl+M", "A note to yourself or a colleague."),
    Action("line.pronounce", "Pronunciation…", "Shift+F2", "How the word at the text cursor, or a name, is spoken."),
    # Gap and silence
    Action("gap.mark_in", "Mark &in", "Shift+I", "Start marking at the playhead."),
    Action("gap.mark_out", "Mark &out", "Shift+O", "End the marked region at the playhead."),
    Action("gap.silence", "|Keep marked region &silent", "Shift+S", "No narration between the marks."),
    Action("gap.opening", "Allo&w narration here", "Shift+F", "Narration may overlap dialogue between the marks."),
    Action("gap.start_here", "|Set &gap in", "Ctrl+Shift+I", "Move the start of the gap to the playhead."),
    Action("gap.end_here", "Set gap ou&t", "Ctrl+Shift+O", "Move the end of the gap to the playhead."),
    Action("gap.in_step", "|S&ync subtitles to audio", "", "Move all cues to where the speech is."),
    Action("gap.next", "|&Next gap", "Ctrl+Right", "Go to the start of the next gap."),
    Action("gap.previous", "&Previous gap", "Ctrl+Left", "Go to the start of the previous gap."),
    # Scene
    Action("scene.split", "&Split scene here", "Ctrl+B", "Start a new scene at the playhead, or the cut next to it."),
    Action("scene.merge", "Merge with ne&xt", "", "Merge the scene with the one after it."),
    Action("scene.rename", "Rena&me scene…", "", "Name the scene."),
    Action("scene.sequence", "Add to se&quence…", "", "Group the selected scenes under one name."),
    Action("scene.detect", "|&Detect shots", "", "Find the cuts of the film in the background."),
    Action("scene.from_shots", "Scenes from s&hots", "", "Create scenes from the cuts where there are none."),
    Action("scene.to_cuts", "Move boundaries to cuts", "", "Have scenes begin at the cuts nearest to them."),
    Action("scene.redraft", "|Draft this scene a&gain", "Ctrl+D", "New lines for it; your own stay."),
    Action("scene.redraft_from", "Draft it again &from…", "", "From another screenplay or description."),
    Action("scene.by_model", "Draft this scene &with a model", "Ctrl+L", "With the model chosen under Drafts."),
    Action("scene.polish", "&Polish this scene", "Ctrl+Shift+W", "A model rewrites its lines as fluent sentences."),
    Action("scene.reviewed", "|&Reviewed", "R", "You have finished checking the scene.", True),
    Action("scene.next", "&Next scene to review", "N", "Go to the next scene you have not reviewed."),
    Action("scene.alone", "|Lines stay within sc&enes", "", "Lines may not cross scene boundaries.", True),
    # Rules
    Action("rule.alternatives", "&Only one of these", "", "At most one of the selected lines is spoken."),
    Action("rule.requires", "First &requires second", "", "The first is spoken only if the second is."),
    Action("rule.together", "&All or none", "", "The selected lines are spoken together or not at all."),
    Action("rule.penalty", "Mark as repe&titive…", "", "What it costs to speak both of two lines."),
    Action("rule.remove", "|Remove r&ules of selection", "", "No rule applies to the selected lines any more."),
    # Play
    Action("play.toggle", "&Play or pause", "Space", "Play the film, or pause it."),
    Action("play.toggle_anywhere", "Play or pause, even in te&xt", "Ctrl+P", "The same while you type."),
    Action("play.back", "|Shuttle &back", "J", "Play backwards; press again for faster."),
    Action("play.stop", "&Stop shuttle", "K", "Pause."),
    Action("play.forward", "Shuttle &forward", "L", "Play forwards; press again for faster."),
    Action("play.frame_back", "|Pre&vious frame", ",", "Step back one frame."),
    Action("play.frame_forward", "Next f&rame", ".", "Step forward one frame."),
    Action("play.second_back", "Back &one second", "Shift+Left", "Step back one second."),
    Action("play.second_forward", "Forward one secon&d", "Shift+Right", "Step forward one second."),
    Action("play.go_to", "&Go to time…", "Ctrl+G", "Type a timecode or a time."),
    Action("play.loop_gap", "|&Loop this gap", "G", "Repeat the gap, with a second on either side.", True),
    Action("play.mute", "&Mute", "Ctrl+Shift+M", "Mute the film.", True),
    Action("play.line_next", "|&Next line", "Alt+Right", "Go to the next spoken line."),
    Action("play.line_previous", "Previous l&ine", "Alt+Left", "Go to the previous spoken line."),
    Action("play.line_here", "Line &at playhead", "Ctrl+J", "Go to the line spoken at the playhead, or nearest to it."),
    Action(
        "play.link",
        "Lin&k selection and playhead",
        "",
        "Selecting a line in the table goes to it; playing selects the line that is spoken.",
        True,
    ),
    # Hear
    Action("hear.line", "Hear &line", "H", "Speak the selected line."),
    Action("hear.variants", "Audition &wordings", "Shift+H", "Speak each wording, the longest first."),
    Action(
        "hear.gap", "Hear &gap over picture", "Ctrl+H", "Play the gap with its narration, the film’s sound lowered."
    ),
    Action("hear.here", "Hear from he&re", "F", "Play from the playhead with narration; again to pause."),
    Action("hear.film", "&Narration while playing", "Ctrl+Shift+H", "Speak the plan along with the film.", True),
    Action("hear.cues", "Gap &cue tones", "Shift+G", "A short tone where a gap begins and ends.", True),
    Action("hear.line_cues", "Line c&ue tones", "Shift+L", "A short tone where a spoken line begins and ends.", True),
    Action("hear.stop", "|&Stop", "Escape", "Stop speaking, or repeating the gap."),
    # Booth
    Action("booth.show", "Open the &booth", "Ctrl+Shift+B", "Record takes of the lines, trim and choose them."),
    Action("booth.record", "|&Record or stop", "Shift+R", "Record a take of the line against the picture, or end it."),
    Action("booth.record_next", "Record &next line", "Shift+D", "End the take, go to the next line and record it."),
    Action("booth.punch", "P&unch in", "Shift+U", "Record again from the cursor in the waveform."),
    Action("booth.cancel", "&Discard recording", "Shift+Escape", "Keep nothing of what is being recorded."),
    Action("booth.play", "|&Play take over picture", "Shift+K", "Hear the take where its line is spoken."),
    Action("booth.choose", "Use &this take", "Shift+C", "The line is as long as it, and the film is planned again."),
    Action("booth.leave", "Use no ta&ke", "", "The voice speaks the line."),
    Action("booth.rename", "Rena&me take…", "", "Name the take."),
    Action("booth.delete", "De&lete take", "", "Delete the take from the project."),
    Action("booth.import", "|&Import takes…", "", "Add a folder of sound files, by the numbers of their lines."),
    # Ask: each answers in a sentence, and in detail when it is asked again
    Action("ask.where", "&Where am I?", "Q F4", "Say where playhead and selection are; again for detail."),
    Action("ask.why", "Wh&y?", "Y Shift+F4", "Say why the line is in or out of the plan; again for detail."),
    Action("ask.changed", "What &changed?", "D Shift+F8", "Say what the last action did; again for detail."),
    Action("ask.conflicts", "What cannot &hold?", "E Shift+F5", "Say which locks conflict; again for detail."),
    # View
    Action("view.zoom_in", "Zoom &in", "Ctrl+= Ctrl++", "Show less time."),
    Action("view.zoom_out", "Zoom &out", "Ctrl+-", "Show more time."),
    Action("view.fit_film", "Fit &film", "Ctrl+0", "Show the whole film."),
    Action("view.fit_scene", "Fit &scene", "Ctrl+1", "Show the scene at the playhead."),
    Action("view.fit_gap", "Fit &gap", "Ctrl+2", "Show the gap at the playhead."),
    Action("view.follow", "|Follow pla&yhead", "Ctrl+Shift+F", "The timeline scrolls along with the film.", True),
    Action("view.snap", "S&nap", "Ctrl+Shift+A", "Edges snap to dialogue, shots and the playhead.", True),
    Action("view.lane_higher", "|Increase lane height", "", "Make the lane of the selected item higher."),
    Action("view.lane_lower", "Decrease lane height", "", "Make the lane of the selected item lower."),
    Action("view.lanes_reset", "Default lane heights", "", "Give all lanes their default heights."),
    Action("view.layout_write", "|Layout: &write", "Alt+1", "Large table and inspector."),
    Action("view.layout_review", "Layout: &review", "Alt+2", "Scenes, picture and timeline."),
    Action("view.layout_listen", "Layout: &listen", "Alt+3", "Large picture above the timeline."),
    Action("view.voice_bar", "Voice &bar", "Alt+4", "Show or hide the voice of the project.", True),
    Action("view.columns", "&Columns…", "", "Choose which columns the script table shows."),
    Action("view.picture", "|&Picture", "Shift+F11", "Show or hide the picture.", True),
    Action("view.second_screen", "Picture in its own win&dow", "F11", "For a second screen.", True),
    Action("view.subtitles", "S&ubtitles over picture", "V", "Show the dialogue over the picture.", True),
    Action("view.timecode", "&Timecode over picture", "Shift+V", "Show the timecode over the picture.", True),
    Action("view.next_panel", "|Next pan&el", "F6", "Move the keyboard to the next panel."),
    Action("view.previous_panel", "Pre&vious panel", "Shift+F6", "Move the keyboard to the previous panel."),
    Action("view.close_panel", "Close panel", "Ctrl+Shift+X", "Close the panel you are in, or that at the bottom."),
    Action("view.look_system", "|Theme: Syste&m", "", "Light or dark, as the system is.", True),
    Action("view.look_light", "Theme: Lig&ht", "", "Dark text on a light background.", True),
    Action("view.look_dark", "Theme: D&ark", "", "Light text on a dark background.", True),
    Action("view.look_contrast", "Theme: High contrast", "", "Strongest contrast, light or dark as the system.", True),
    # Plan
    Action("plan.next_change", "&Next plan change", "F8", "Go to the next line that the plan changed."),
    Action("plan.keep", "Lock as &spoken", "Ctrl+K", "Lock the selected lines as they are spoken now."),
    Action("plan.restore", "P&ut accepted lines back", "", "Speak accepted lines that have changed as before."),
    Action("plan.take_measured", "Use &measured lengths", "", "Plan accepted lines as long as the voice takes."),
    Action("plan.next_problem", "Next &problem", "F9", "Go to the next thing that needs your attention."),
    Action("plan.next_finding", "Next quality findin&g", "Shift+F7", "Go to the next finding of the quality checks."),
    Action("plan.next_unsure", "Next uncertain t&ime", "Shift+N", "Go to the next line whose time is a guess."),
    Action("plan.farthest", "&Farthest from action", "Shift+F9", "List the lines farthest from their action first."),
    Action("plan.report", "Draft &report", "Ctrl+Shift+D", "Read the report of the draft again."),
    Action("plan.by_model", "&Drafts by a model", "F12", "Have a model draft scenes."),
    Action("plan.polish", "Polished &lines", "Ctrl+Shift+L", "Review the lines that a model has polished."),
    Action("plan.again", "|Re-pl&an", "F5", "Have the second engine check the plan again."),
    # Help
    Action("help.keys", "&Keyboard…", "F1", "Every action and its keys; assign your own."),
    Action("help.log", "Open the &log", "", "What the program recorded, for support."),
    Action("help.about", "|&About adstudio", "", "Version, licence and components."),
)
"""In the order of the menus."""

BY_ID = {action.id: action for action in ACTIONS}
