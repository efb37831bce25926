"""Every action in one table: its name, its place in the menus, its keys and a sentence of help.

The keys are the defaults; the describer may bind others (`app/shortcuts_dialog.py`). Single letters are safe: a text
field that has the focus takes them for itself.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Action:
    """One thing that the describer can do. `menu` is the path in the menu bar; `keys` are Qt's portable key names."""

    id: str
    text: str
    menu: str
    keys: tuple[str, ...] = ()
    help: str = ""
    checkable: bool = False


ACTIONS: tuple[Action, ...] = (
    # File
    Action("file.new", "&New project…", "&File", ("Ctrl+N",), "Set up a project from a video or a length of time."),
    Action("file.open", "&Open project…", "&File", ("Ctrl+O",), "Open a project that was saved before."),
    Action("file.sample", "Open the sa&mple film", "&File", (), "Open the sample film with its draft."),
    Action("file.save", "&Save", "&File|", ("Ctrl+S",), "Mark the present state as saved."),
    Action("file.save_as", "Save &as…", "&File", ("Ctrl+Shift+S",), "Go on working in a file of another name."),
    Action("file.export", "&Export script…", "&File|", ("Ctrl+E",), "Write the script for hand-in."),
    Action("file.relink", "&Find the video…", "&File|", (), "Point the project to its video again."),
    Action(
        "file.settings", "Project se&ttings…", "&File", ("Ctrl+,",), "Film, gaps, speaking rate, window and pauses."
    ),
    Action("file.models", "Mo&dels…", "&File", ("Ctrl+Alt+M",), "Which may be asked, what may leave, what was sent."),
    Action("file.close", "&Close project", "&File|", ("Ctrl+W",), "Back to the welcome page."),
    Action("file.quit", "&Quit", "&File", ("Ctrl+Q",), "Leave adstudio."),
    # Edit
    Action("edit.undo", "&Undo", "&Edit", ("Ctrl+Z",), "Take the last action back, its plan with it."),
    Action("edit.redo", "&Redo", "&Edit", ("Ctrl+Shift+Z", "Ctrl+Y"), "Bring back what was undone."),
    Action("edit.find", "&Find in the script", "&Edit|", ("Ctrl+F",), "Show only the lines that hold some words."),
    Action("edit.select_all", "Select &all lines", "&Edit", ("Ctrl+A",), "Select every line that the table shows."),
    Action("edit.delete", "&Delete", "&Edit|", ("Delete",), "Delete the selected lines, silence or opening."),
    Action("edit.preferences", "&Preferences…", "&Edit|", ("Ctrl+P",), "Look, planning engine, voice, keys."),
    # Line
    Action("line.new", "&New line here", "&Line", ("Insert", "Ctrl+Return"), "Write a line at the playhead."),
    Action("line.edit", "&Edit text", "&Line", ("F2",), "Edit the wording of the selected line."),
    Action("line.inspect", "Go to the &inspector", "&Line", ("Ctrl+I",), "All that can be said of what is selected."),
    Action("line.keep_in", "&Keep in", "&Line|", ("P",), "Pin: the plan must say it."),
    Action("line.keep_out", "&Leave out", "&Line", ("X",), "Pin: the plan must not say it."),
    Action("line.free", "&Free all holds", "&Line", ("U",), "Take every pin off."),
    Action("line.pin_wording", "Keep this &wording", "&Line", ("W",), "Pin the wording that is spoken now."),
    Action("line.pin_start", "Keep this &time", "&Line", ("T",), "Pin the start where it is now."),
    Action("line.start_here", "Speak at the pla&yhead", "&Line", ("Shift+T",), "Pin the start at the playhead."),
    Action("line.override", "&Override the gap", "&Line", ("Shift+P",), "Let it run over dialogue or its window."),
    Action("line.accept", "&Accept", "&Line|", ("A",), "Looked at and agreed; you are told when it changes."),
    Action(
        "line.accept_next", "Accept and go to the ne&xt", "&Line", ("Shift+A",), "Accept, then the next unseen line."
    ),
    Action("line.salience_up", "More salient", "&Line|", ("]",), "The story loses more without it."),
    Action("line.salience_down", "Less salient", "&Line", ("[",), "The story loses less without it."),
    Action("line.wording_next", "Next wording", "&Line|", ("Ctrl+]",), "Pin the next shorter wording."),
    Action("line.wording_previous", "Previous wording", "&Line", ("Ctrl+[",), "Pin the next longer wording."),
    Action("line.wording_add", "Add a wording", "&Line", ("Ctrl+Shift+N",), "Write another wording of the same line."),
    Action("line.split", "&Split…", "&Line|", ("S",), "Make two lines of it, where the cursor stands."),
    Action("line.merge", "&Merge", "&Line", ("M",), "Make one line of the selected neighbours."),
    Action("line.join", "Speak in one &breath", "&Line", ("B",), "Speak it as one cue with the line before.", True),
    Action("line.up", "Earlier in the order", "&Line", ("Alt+Up",), "Before the line that stands ahead of it."),
    Action("line.down", "Later in the order", "&Line", ("Alt+Down",), "After the line that follows it."),
    Action("line.happens_from", "Happens from here", "&Line|", ("Shift+I",), "Its occurrence starts at the playhead."),
    Action("line.happens_to", "Happens until here", "&Line", ("Shift+O",), "Its occurrence ends at the playhead."),
    Action("line.confirm", "It happens t&hen", "&Line", ("C",), "Confirm when it happens: no guess any more."),
    Action("line.not_before", "Not before it happens", "&Line", ("Shift+B",), "Never give it away early.", True),
    Action("line.note", "Note…", "&Line|", ("Ctrl+M",), "A note to yourself or a colleague."),
    # Gap and silence
    Action("gap.mark_in", "Mark &in", "&Gap", ("I",), "A stretch starts at the playhead."),
    Action("gap.mark_out", "Mark &out", "&Gap", ("O",), "A stretch ends at the playhead."),
    Action("gap.silence", "Keep the marked stretch &silent", "&Gap|", ("Shift+S",), "No narration between the marks."),
    Action("gap.opening", "&Free the marked stretch", "&Gap", ("Shift+F",), "Narration may run there over dialogue."),
    Action("gap.start_here", "The gap starts here", "&Gap|", ("Ctrl+Alt+I",), "Move the gap's start to the playhead."),
    Action("gap.end_here", "The gap ends here", "&Gap", ("Ctrl+Alt+O",), "Move the gap's end to the playhead."),
    Action("gap.in_step", "Move the subtitles into st&ep", "&Gap|", (), "Move all cues to where they are heard."),
    Action("gap.next", "&Next gap", "&Gap|", ("Ctrl+Right",), "Go to the start of the next gap."),
    Action("gap.previous", "&Previous gap", "&Gap", ("Ctrl+Left",), "Go to the start of the gap before."),
    # Scene
    Action("scene.split", "&Split the scene here", "&Scene", ("Ctrl+B",), "A new scene begins at the playhead."),
    Action("scene.merge", "&Merge with the next", "&Scene", (), "The scene and the one after it become one."),
    Action("scene.rename", "&Name the scene…", "&Scene", (), "Give the scene a name."),
    Action("scene.sequence", "Put into a se&quence…", "&Scene", (), "Gather the selected scenes under one name."),
    Action("scene.detect", "&Detect shots", "&Scene|", (), "Find the cuts of the film in the background."),
    Action("scene.from_shots", "Scenes from s&hots", "&Scene", (), "Make scenes where there are none, from the cuts."),
    Action("scene.redraft", "Draft this scene a&gain", "&Scene|", ("Ctrl+D",), "New lines for it; yours stay."),
    Action("scene.redraft_from", "Draft it again &from…", "&Scene", (), "From another screenplay, or a description."),
    Action("scene.by_model", "Draft this scene &by a model", "&Scene", ("Ctrl+Alt+D",), "By the one chosen in Drafts."),
    Action("scene.polish", "&Polish this scene", "&Scene", ("Ctrl+Alt+W",), "A model words its lines again, fluently."),
    Action("scene.reviewed", "&Reviewed", "&Scene|", ("R",), "The scene has been gone through.", True),
    Action("scene.next", "Ne&xt scene not reviewed", "&Scene", ("N",), "Go to the next scene that waits for you."),
    Action("scene.alone", "Plan &each scene for itself", "&Scene|", (), "Lines never leave their scene.", True),
    # Rules
    Action("rule.alternatives", "&Only one of these", "&Rules", (), "At most one of the selected lines is said."),
    Action("rule.requires", "The first &needs the second", "&Rules", (), "The first only where the second is said."),
    Action("rule.together", "&All or none", "&Rules", (), "The selected lines are said together or not at all."),
    Action("rule.penalty", "They repeat ea&ch other…", "&Rules", (), "What it costs to say both of two lines."),
    Action("rule.remove", "&Remove the rules of these", "&Rules|", (), "No rule ties the selected lines any more."),
    # Play
    Action("play.toggle", "&Play or pause", "&Play", ("Space",), "Play the film, or stop it where it is."),
    Action("play.toggle_anywhere", "Play or pause, in text too", "&Play", ("Ctrl+Space",), "The same while you type."),
    Action("play.back", "Shuttle &back", "&Play|", ("J",), "Backwards; again for faster."),
    Action("play.stop", "&Stop the shuttle", "&Play", ("K",), "Stand still."),
    Action("play.forward", "Shuttle &forward", "&Play", ("L",), "Forwards; again for faster."),
    Action("play.frame_back", "Frame back", "&Play|", (",",), "One frame back."),
    Action("play.frame_forward", "Frame forward", "&Play", (".",), "One frame on."),
    Action("play.second_back", "Second back", "&Play", ("Shift+Left",), "One second back."),
    Action("play.second_forward", "Second forward", "&Play", ("Shift+Right",), "One second on."),
    Action("play.go_to", "&Go to a time…", "&Play", ("Ctrl+G",), "Type a time or a timecode."),
    Action(
        "play.loop_gap", "&Loop this gap", "&Play|", ("G",), "The gap, with a second around it, again and again.", True
    ),
    Action("play.mute", "&Mute", "&Play", ("Ctrl+Shift+M",), "No sound from the film.", True),
    Action("play.line_next", "Next line", "&Play|", ("Alt+Right",), "The next spoken line."),
    Action("play.line_previous", "Previous line", "&Play", ("Alt+Left",), "The spoken line before."),
    # Hear
    Action("hear.line", "Hear the &line", "&Hear", ("H",), "Speak the selected line."),
    Action("hear.variants", "Hear its &wordings", "&Hear", ("Shift+H",), "Speak each wording, the longest first."),
    Action("hear.gap", "Hear this &gap over the picture", "&Hear", ("Ctrl+H",), "Film and narration, the film ducked."),
    Action(
        "hear.film", "&Narration while playing", "&Hear", ("Ctrl+Shift+H",), "Speak the plan along with the film.", True
    ),
    Action("hear.cues", "Sound at a gap's in and &out", "&Hear", (), "A short tone where a gap begins and ends.", True),
    Action("hear.stop", "&Stop", "&Hear|", ("Escape",), "Be quiet."),
    # View
    Action("view.zoom_in", "Zoom &in", "&View", ("Ctrl+=", "Ctrl++"), "See a shorter stretch."),
    Action("view.zoom_out", "Zoom &out", "&View", ("Ctrl+-",), "See a longer stretch."),
    Action("view.fit_film", "Fit the &film", "&View", ("Ctrl+0",), "The whole film."),
    Action("view.fit_scene", "Fit the &scene", "&View", ("Ctrl+1",), "The scene at the playhead."),
    Action("view.fit_gap", "Fit the &gap", "&View", ("Ctrl+2",), "The gap at the playhead."),
    Action("view.follow", "Follow the play&head", "&View|", ("Ctrl+Shift+F",), "The timeline moves along.", True),
    Action("view.snap", "S&nap", "&View", ("Ctrl+Shift+A",), "Edges stick to dialogue, shots and playhead.", True),
    Action("view.layout_write", "Layout: &write", "&View|", ("Ctrl+Alt+1",), "Table and inspector large."),
    Action("view.layout_review", "Layout: &review", "&View", ("Ctrl+Alt+2",), "Scenes, picture and timeline."),
    Action("view.layout_listen", "Layout: &listen", "&View", ("Ctrl+Alt+3",), "Picture large, timeline below."),
    Action("view.picture", "&Picture", "&View|", ("Ctrl+Alt+P",), "Show or hide the picture.", True),
    Action("view.second_screen", "Picture on its own win&dow", "&View", ("F11",), "For a second screen.", True),
    Action("view.subtitles", "S&ubtitles over the picture", "&View", ("V",), "The dialogue cues.", True),
    Action("view.timecode", "&Timecode over the picture", "&View", ("Shift+V",), "The time of the frame.", True),
    Action("view.next_panel", "Next pan&el", "&View|", ("F6",), "The keys go to the next part of the window."),
    Action("view.previous_panel", "Pre&vious panel", "&View", ("Shift+F6",), "The keys go to the part before."),
    Action("view.look_system", "Look of the s&ystem", "&View|", (), "Light or dark, as the system is.", True),
    Action("view.look_light", "Light loo&k", "&View", (), "Dark text on light ground.", True),
    Action("view.look_dark", "D&ark look", "&View", (), "Light text on dark ground.", True),
    # Plan
    Action("plan.next_change", "&Next change of the plan", "&Plan", ("F8",), "Go to a line that the plan changed."),
    Action("plan.keep", "&Keep these lines as they are", "&Plan", ("Ctrl+K",), "Pin the selected lines as spoken now."),
    Action("plan.next_problem", "Next &problem", "&Plan", ("F9",), "Go to the next thing that needs you."),
    Action("plan.next_unsure", "Next line not s&ure when", "&Plan", ("Shift+N",), "To a line whose time is a guess."),
    Action("plan.report", "Draft &report", "&Plan", ("Ctrl+Shift+D",), "Read again what came of the draft."),
    Action("plan.by_model", "&Drafts by a model", "&Plan", ("Ctrl+Alt+F",), "Have a model draft scenes."),
    Action("plan.polish", "Polished &lines", "&Plan", ("Ctrl+Alt+L",), "Go through what a model has polished."),
    Action("plan.again", "Plan &again", "&Plan|", ("F5",), "Ask for the second opinion once more."),
    # Help
    Action("help.keys", "&Keyboard…", "&Help", ("F1",), "Every action and its keys; bind your own."),
    Action("help.log", "Open the &log", "&Help", (), "What the program wrote down for support."),
    Action("help.about", "&About adstudio", "&Help|", (), "Version, licence and parts."),
)
"""In menu order; a bar at the end of a menu's path starts a new group."""

BY_ID = {action.id: action for action in ACTIONS}
